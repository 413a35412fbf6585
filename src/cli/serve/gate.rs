//! Lets a few queries be answered at a time, and nobody take every turn.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::peer::Peer;

/// How often a client is looked for. Looking takes three system calls.
const LOOK: Duration = Duration::from_millis(50);
/// While others wait, a query has only this part of its time.
const SHARE: u32 = 4;
/// After this time half of what a client used is forgotten.
const HALF_LIFE: Duration = Duration::from_secs(10);
/// Clients that are remembered.
const MAX_CLIENTS: usize = 1024;

/// Lets a few threads work at a time. The next turn goes to the client that used the least time
/// recently; among equals to the first that came.
pub struct Gate {
    turns: Mutex<Turns>,
    freed: Condvar,
}

#[derive(Default)]
struct Turns {
    free: usize,
    /// Number of the next that waits.
    next: u64,
    waiting: Vec<(u64, Option<IpAddr>)>,
    used: HashMap<Option<IpAddr>, Usage>,
}

/// What a client used.
struct Usage {
    /// Turns that it has at the moment.
    turns: usize,
    /// Seconds of work, at the time `at`.
    seconds: f64,
    at: Instant,
}

impl Usage {
    fn now(&self, now: Instant) -> f64 {
        self.seconds * 0.5f64.powf((now - self.at).as_secs_f64() / HALF_LIFE.as_secs_f64())
    }
}

impl Turns {
    /// The one whose turn is next.
    fn first(&self) -> Option<u64> {
        let now = Instant::now();
        let usage = |client: &Option<IpAddr>| {
            self.used.get(client).map_or((0, 0.0), |u| (u.turns, u.now(now)))
        };
        let order = |a: &&(u64, _), b: &&(u64, _)| {
            let ((a_turns, a_used), (b_turns, b_used)) = (usage(&a.1), usage(&b.1));
            a_turns.cmp(&b_turns).then(a_used.total_cmp(&b_used)).then(a.0.cmp(&b.0))
        };
        self.waiting.iter().min_by(order).map(|(n, _)| *n)
    }

    fn begin(&mut self, client: Option<IpAddr>) {
        self.free -= 1;
        let now = Instant::now();
        if self.used.len() >= MAX_CLIENTS {
            // Who used the least is the best to forget: to be forgotten is to have used nothing.
            let mut all: Vec<f64> = self.used.values().map(|u| u.now(now)).collect();
            all.sort_unstable_by(f64::total_cmp);
            let least = all[all.len() / 2];
            self.used.retain(|_, u| u.turns > 0 || u.now(now) > least);
        }
        let fresh = Usage { turns: 0, seconds: 0.0, at: now };
        self.used.entry(client).or_insert(fresh).turns += 1;
    }

    fn end(&mut self, client: Option<IpAddr>, took: Duration) {
        self.free += 1;
        if let Some(usage) = self.used.get_mut(&client) {
            let now = Instant::now();
            let seconds = usage.now(now) + took.as_secs_f64();
            *usage = Usage { turns: usage.turns.saturating_sub(1), seconds, at: now };
        }
    }
}

impl Gate {
    /// A gate for `n` at a time.
    pub fn new(n: usize) -> Self {
        Gate { turns: Mutex::new(Turns { free: n, ..Turns::default() }), freed: Condvar::new() }
    }

    fn turns(&self) -> MutexGuard<'_, Turns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does some work for a client when it is its turn; `None` if that does not come within
    /// `patience`, or the client hangs up before. `address` stands for the client: that of a
    /// connection, or that which a proxy reports.
    pub fn pass<T>(
        &self,
        peer: &Peer,
        address: Option<IpAddr>,
        patience: Duration,
        work: impl FnOnce() -> T,
    ) -> Option<T> {
        if !self.wait(peer, address, patience) {
            return None;
        }
        let _back = Back { gate: self, address, since: Instant::now() };
        Some(work())
    }

    /// Says whether to stop working for a client: when it is gone, or after `limit`, which is
    /// shorter while others wait.
    pub fn is_over(
        self: &Arc<Self>,
        peer: &Peer,
        limit: Duration,
    ) -> impl Fn() -> bool + Send + Sync + 'static + use<> {
        let (gate, peer, start) = (Arc::clone(self), peer.clone(), Instant::now());
        let looked = Mutex::new(start);
        move || {
            let mut looked = looked.lock().unwrap_or_else(PoisonError::into_inner);
            let now = Instant::now();
            if now - start >= limit {
                return true;
            }
            if now - *looked < LOOK {
                return false;
            }
            *looked = now;
            peer.is_gone() || now - start >= limit / SHARE && !gate.turns().waiting.is_empty()
        }
    }

    /// Waits for a turn; true if it came.
    fn wait(&self, peer: &Peer, address: Option<IpAddr>, patience: Duration) -> bool {
        let end = Instant::now() + patience;
        let mut turns = self.turns();
        let number = turns.next;
        turns.next += 1;
        turns.waiting.push((number, address));
        let has_turn = loop {
            if turns.free > 0 && turns.first() == Some(number) {
                turns.begin(address);
                break true;
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break false;
            }
            let waited = self.freed.wait_timeout(turns, left.min(LOOK));
            turns = waited.unwrap_or_else(PoisonError::into_inner).0;
            if peer.is_gone() {
                break false;
            }
        };
        turns.waiting.retain(|(n, _)| *n != number);
        drop(turns);
        // Another may be the first now.
        self.freed.notify_all();
        has_turn
    }
}

/// Gives the turn back, also if the work panics.
struct Back<'a> {
    gate: &'a Gate,
    address: Option<IpAddr>,
    since: Instant,
}

impl Drop for Back<'_> {
    fn drop(&mut self) {
        self.gate.turns().end(self.address, self.since.elapsed());
        self.gate.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};
    use std::sync::mpsc;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);
    const SHORT: Duration = Duration::from_millis(1);

    #[test]
    fn a_few_pass_and_no_turn_is_kept() {
        let gate = Gate::new(1);
        let nobody = Peer::default();
        let pass = |patience, work: &dyn Fn() -> u32| gate.pass(&nobody, None, patience, work);
        let inner = gate.pass(&nobody, None, LONG, || pass(SHORT, &|| 1));
        assert_eq!(inner, Some(None));
        let broken = std::panic::AssertUnwindSafe(|| pass(LONG, &|| panic!("broken")));
        assert!(std::panic::catch_unwind(broken).is_err());
        assert_eq!(pass(SHORT, &|| 2), Some(2));
        assert!(gate.turns().waiting.is_empty());
    }

    /// Threads wait for one turn, in this order; gives the order in which they have it.
    fn order(gate: &Arc<Gate>, clients: &[u8]) -> Vec<usize> {
        let (sender, receiver) = mpsc::channel();
        let held = gate.pass(&Peer::default(), None, LONG, || {
            let start = |(n, client): (usize, &u8)| {
                let (its, done) = (Arc::clone(gate), sender.clone());
                let address = Some(IpAddr::from([10, 0, 0, *client]));
                let waits = std::thread::spawn(move || {
                    its.pass(&Peer::default(), address, LONG, || done.send(n).unwrap()).unwrap();
                });
                while gate.turns().waiting.len() <= n {
                    std::thread::yield_now();
                }
                waits
            };
            clients.iter().enumerate().map(start).collect::<Vec<_>>()
        });
        held.unwrap().into_iter().for_each(|t| t.join().unwrap());
        drop(sender);
        receiver.into_iter().collect()
    }

    #[test]
    fn who_used_much_waits_for_the_others() {
        let gate = Arc::new(Gate::new(1));
        assert_eq!(order(&gate, &[1, 2, 3]), [0, 1, 2]);
        let busy = Some(IpAddr::from([10, 0, 0, 1]));
        gate.turns().begin(busy);
        gate.turns().end(busy, Duration::from_secs(5));
        assert_eq!(order(&gate, &[1, 1, 2, 2]), [2, 3, 0, 1]);
    }

    #[test]
    fn work_is_over_after_its_time_or_when_nobody_waits_for_it() {
        let gate = Arc::new(Gate::new(1));
        let is_over = |client: &Peer, seconds| gate.is_over(client, Duration::from_secs(seconds));
        let soon = |is_over: &dyn Fn() -> bool| {
            (0..500).any(|_| {
                std::thread::sleep(Duration::from_millis(10));
                is_over()
            })
        };
        let (client, peer) = connected();
        assert!(is_over(&peer, 0)());
        let long = is_over(&peer, 3600);
        std::thread::sleep(2 * LOOK);
        assert!(!long());
        // Another waits: a quarter of its time passes before `soon` ends, all of it does not.
        let nobody = Peer::default();
        let shared = is_over(&nobody, 6);
        gate.turns().waiting.push((0, None));
        assert!(soon(&shared) && !long());
        drop(client);
        assert!(soon(&long));
    }

    /// Both ends of a connection.
    fn connected() -> (TcpStream, Peer) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (client, Peer::new(Arc::new(listener.accept().unwrap().0)))
    }

    #[test]
    fn who_hangs_up_leaves_the_queue() {
        let gate = Gate::new(1);
        let (client, peer) = connected();
        drop(client);
        let inner = gate.pass(&Peer::default(), None, LONG, || gate.pass(&peer, None, LONG, || 1));
        assert_eq!(inner, Some(None));
        assert!(gate.turns().waiting.is_empty());
    }

    #[test]
    fn clients_are_forgotten_and_those_at_work_are_not() {
        let gate = Gate::new(2 * MAX_CLIENTS);
        for n in 0..MAX_CLIENTS {
            let client = Some(IpAddr::from([10, 1, (n >> 8) as u8, n as u8]));
            gate.turns().begin(client);
            if n > 0 {
                gate.turns().end(client, Duration::from_secs(n as u64));
            }
        }
        gate.turns().begin(None);
        let turns = gate.turns();
        assert!(turns.used.len() <= MAX_CLIENTS / 2 + 2, "{}", turns.used.len());
        assert_eq!(turns.used[&Some(IpAddr::from([10, 1, 0, 0]))].turns, 1);
    }
}
