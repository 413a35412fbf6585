//! `zhushu serve`: serves the site of a built corpus over HTTP and answers queries from its index;
//! with `--review`, a person can correct it in its pages.

mod api;
mod dts;
mod files;
mod gate;
mod http;
mod oembed;
mod opensearch;
mod peer;
mod reload;
mod reply;
mod review;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::language::say;
use crate::Settings;
use crate::ask::Answerer;
use crate::build::EditionFormat;
use crate::diag::Error;
use crate::model::NEEDS_REVIEW;
use crate::site;

use self::dts::Dts;
use self::files::Files;
use self::gate::Gate;
use self::http::Request;
use self::reload::Reload;
use self::reply::Reply;
use self::review::{Review, Reviewer};
use super::review::part_of_name;
use super::split::probability;
use super::{Failure, Outcome, aside, output};

#[derive(clap::Args)]
#[command(after_help = include_str!("../data/serve.txt"))]
pub struct Args {
    /// Folder that `zhushu build` wrote to
    #[arg(default_value = "out", value_name = "OUT")]
    out: PathBuf,
    /// Address or name to listen at; any but the default gives other machines access
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    host: String,
    /// Port to listen at; 0 for any free port
    #[arg(long, value_name = "PORT", default_value_t = 8000)]
    port: u16,
    /// Answer under any host name, as behind a proxy; else, on the default address, only under the
    /// names of this machine
    #[arg(long)]
    public: bool,
    /// Let pages of any other site ask the search
    #[arg(long)]
    any_site: bool,
    /// Let open pages load themselves again after a build, such as those of `build --watch`
    #[arg(long)]
    reload: bool,
    /// Longest that a query may take; a quarter of it while others wait
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "2")]
    query_time: Duration,
    /// Decide in the pages what the program doubts; on this machine only
    #[arg(long, conflicts_with_all = ["public", "any_site"])]
    review: bool,
    /// Who decides [default: the name of the user who is logged in]
    #[arg(long, value_name = "NAME", requires = "review")]
    by: Option<String>,
    /// Keep the decisions in FILE.WHO.review.toml, files of your own
    #[arg(long, value_name = "WHO", value_parser = part_of_name, requires = "review")]
    own: Option<String>,
    /// Ask about decisions that are less certain than this
    #[arg(long, value_name = "P", value_parser = probability, default_value_t = NEEDS_REVIEW,
          requires = "review")]
    below: f64,
}

fn seconds(words: &str) -> Result<Duration, String> {
    let seconds = words.parse().ok().and_then(|s| Duration::try_from_secs_f64(s).ok());
    seconds.ok_or_else(|| "expected a number of seconds, such as 2 or .5".into())
}

/// How long a query may wait for those before it.
const QUERY_PATIENCE: Duration = Duration::from_secs(5);

/// What is served, and to whom.
struct Served {
    files: Files,
    answerer: Answerer,
    /// Only this machine has access: the `Host` of a request must be one of its names.
    local: bool,
    host: String,
    any_site: bool,
    /// It listens to a proxy, which says for whom it asks.
    public: bool,
    queries: Arc<Gate>,
    query_time: Duration,
    dts: Dts,
    reload: Option<Reload>,
    review: Option<Review>,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> Outcome {
    let index = super::search::folder(&args.out);
    super::search::open(&index)?;
    let site = args.out.join(EditionFormat::Site.folder());
    let files = Files::open(&site)?;
    let listener = listen(&args.host, args.port)?;
    let address = listener.local_addr().map_err(|e| refused(&args.host, args.port, &e))?;
    let review = review(args, address, settings)?;
    let stop = on_interrupt(address)?;
    announce(&format!("http://{address}/\n"))?;
    let (shown, searched) = (site.display(), index.display());
    let what = format!("serving {shown} and searching {searched}; Ctrl-C stops it");
    aside::line(&say(&what));
    let served = Arc::new(Served {
        files,
        answerer: Answerer::of(std::slice::from_ref(&args.out), settings)?.of_at_most(api::BYTES),
        local: address.ip().is_loopback() && !args.public,
        host: args.host.clone(),
        any_site: args.any_site,
        public: args.public,
        query_time: args.query_time,
        queries: Gate::new(std::thread::available_parallelism().map_or(1, |n| n.get())).into(),
        dts: Dts::of(&args.out, settings),
        reload: args.reload.then(|| Reload::of(&args.out)),
        review,
    });
    let max_body = if args.review { review::MAX_ANSWER } else { 0 };
    http::serve(&listener, &stop, max_body, move |request| served.reply(request));
    Ok(0)
}

/// The review, if one is asked for. Whoever reaches it can write beside the texts, so it is for
/// this machine only.
fn review(args: &Args, address: SocketAddr, settings: &Settings) -> Result<Option<Review>, Error> {
    if !args.review {
        return Ok(None);
    }
    if !address.ip().is_loopback() {
        let message = format!("a review is for this machine only, not for {}", args.host);
        return Err(Error::request(message).hint("leave out --host; several people work each on their own machine, with files of their own (--own)"));
    }
    let by = super::review::by(args.by.as_deref())?;
    let reviewer = Reviewer { by, own: args.own.clone(), below: args.below };
    Review::open(&args.out, reviewer, settings).map(Some)
}

fn announce(line: &str) -> Result<(), Failure> {
    output::to(None, |out| out.write_all(line.as_bytes()))
}

fn listen(host: &str, port: u16) -> Result<TcpListener, Error> {
    let addresses = (host, port).to_socket_addrs().map_err(|e| refused(host, port, &e))?;
    TcpListener::bind(&addresses.collect::<Vec<_>>()[..]).map_err(|e| refused(host, port, &e))
}

fn refused(host: &str, port: u16, e: &std::io::Error) -> Error {
    Error::io(Path::new(&format!("{host}:{port}")), "listen", e)
        .hint("--port 0 takes any free port; --host 127.0.0.1 is this machine")
}

/// A flag that Ctrl-C (or SIGTERM) sets. The handler then connects to the server, so that the
/// thread waiting for a connection sees the flag.
fn on_interrupt(address: SocketAddr) -> Result<Arc<AtomicBool>, Error> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    let handler = move || {
        flag.store(true, Ordering::SeqCst);
        // A server that listens at every address also listens at the loopback address.
        let here: IpAddr = match address.ip() {
            ip if !ip.is_unspecified() => ip,
            IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        };
        // If connecting fails, no thread is waiting.
        let _ = TcpStream::connect((here, address.port()));
    };
    ctrlc::set_handler(handler)
        .map_err(|e| Error::request(format!("cannot handle Ctrl-C: {e}")))?;
    Ok(stop)
}

impl Served {
    fn reply(&self, request: &Request) -> Reply {
        if self.local && !self.is_for_us(request.host.as_deref()) {
            return Reply::words(403, "this server answers only to the names of this machine");
        }
        let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
        if let Some(review) = &self.review {
            if request.method == "POST" && path.strip_prefix('/') == Some(review::ADDRESS) {
                return review.answer(request);
            }
            let reads = ["GET", "HEAD"].contains(&request.method.as_str());
            if let Some(page) = if reads { review.page(path) } else { None } {
                return page;
            }
        }
        if !["GET", "HEAD"].contains(&request.method.as_str()) {
            return Reply::words(405, "only GET and HEAD are supported").with("Allow", "GET, HEAD");
        }
        if let Some(description) = opensearch::reply(path, request.host.as_deref()) {
            return description;
        }
        if let Some(endpoint) = Dts::endpoint(path) {
            return self.answer(request, || self.dts.reply(request, endpoint, query));
        }
        if let Some(operation) = path.strip_prefix('/').and_then(api::operation) {
            return self.answer(request, || {
                let is_over = self.queries.is_over(&request.peer, self.query_time);
                api::answer(&self.answerer, operation, query, is_over)
            });
        }
        match path.strip_prefix('/') {
            Some(oembed::ADDRESS) => self.answer(request, || self.dts.embedded(request, query)),
            Some(api::DESCRIPTION) => self.answer(request, api::description),
            Some(name) if name == site::ENDPOINT.0 => {
                Reply::content("text/javascript", api::endpoint().into())
            }
            _ => match &self.reload {
                Some(reload) => {
                    reload.reply(path).unwrap_or_else(|| reload.page(self.file(path, request)))
                }
                None => self.file(path, request),
            },
        }
    }

    /// A file of the site, with what browsers and programs ask about it.
    fn file(&self, path: &str, request: &Request) -> Reply {
        let reply = opensearch::linked(path, self.files.reply(path).with_images());
        let host = request.host.as_deref();
        match host.and_then(|host| oembed::link(path, host)).filter(|_| reply.is_found()) {
            Some(link) => reply.with_link(link),
            None => reply,
        }
    }

    /// Answers a program. A few are answered at a time, so that pages are always served.
    fn answer(&self, request: &Request, work: impl FnOnce() -> Reply) -> Reply {
        if request.is_cross_site && !self.any_site {
            return Reply::words(403, "only pages of this server may ask; see --any-site");
        }
        let passed = self.queries.pass(&request.peer, self.client(request), QUERY_PATIENCE, work);
        let reply = passed.unwrap_or_else(api::full);
        match self.any_site {
            true => reply.with("Access-Control-Allow-Origin", "*"),
            false => reply,
        }
    }

    /// Who asks, for the order of the queries. A proxy on this machine asks for others.
    fn client(&self, request: &Request) -> Option<IpAddr> {
        let peer = request.peer.address()?;
        let forwarded = request.forwarded.as_ref().and_then(|f| f.parse().ok());
        let is_proxy = self.public && peer.is_loopback();
        Some(peer::network(forwarded.filter(|_| is_proxy).unwrap_or(peer)))
    }

    /// A page of another site whose name was made to resolve to this machine (DNS rebinding) still
    /// sends that site as host.
    fn is_for_us(&self, host: Option<&str>) -> bool {
        let Some(host) = host else { return false };
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
            _ => host,
        };
        let address =
            name.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
        name.eq_ignore_ascii_case("localhost")
            || name.eq_ignore_ascii_case(&self.host)
            || address.is_ok_and(|a| a.is_loopback())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn serving(folder: &Path) -> Served {
        Served {
            files: Files::open(folder).unwrap(),
            answerer: Answerer::of(&[folder.to_path_buf()], &Settings::default()).unwrap(),
            local: true,
            host: "myhost".into(),
            any_site: false,
            public: false,
            queries: Gate::new(1).into(),
            query_time: Duration::from_secs(2),
            dts: Dts::of(folder, &Settings::default()),
            reload: None,
            review: None,
        }
    }

    #[test]
    fn a_proxy_says_for_whom_it_asks_and_nobody_else_does() {
        let folder = tempfile::tempdir().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let _client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let peer = peer::Peer::new(Arc::new(listener.accept().unwrap().0));
        let of = |public, forwarded: Option<&str>| {
            let forwarded = forwarded.map(String::from);
            let mut request = Request::default();
            (request.peer, request.forwarded) = (peer.clone(), forwarded);
            let served = Served { public, ..serving(folder.path()) };
            served.client(&request).unwrap().to_string()
        };
        assert_eq!(of(true, Some("203.0.113.7")), "203.0.113.7");
        assert_eq!(of(true, Some("2001:db8::1:2:3:4")), "2001:db8::");
        for (public, forwarded) in [(false, Some("203.0.113.7")), (true, Some("me")), (true, None)]
        {
            assert_eq!(of(public, forwarded), "127.0.0.1");
        }
    }

    #[test]
    fn only_names_of_this_machine_are_ours() {
        let folder = tempfile::tempdir().unwrap();
        let served = serving(folder.path());
        for host in [
            "localhost",
            "localhost:8000",
            "127.0.0.1:1",
            "[::1]:80",
            "[::1]",
            "127.0.0.2",
            "MyHost:80",
            "LOCALHOST",
        ] {
            assert!(served.is_for_us(Some(host)), "{host}");
        }
        for host in [
            "example.org",
            "localhost.example.org",
            "127.0.0.1.example.org:80",
            "",
            "10.0.0.1",
            "[::2]",
            "localhost:x",
        ] {
            assert!(!served.is_for_us(Some(host)), "{host}");
        }
        assert!(!served.is_for_us(None));
    }
}
