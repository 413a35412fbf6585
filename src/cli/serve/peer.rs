//! Who is at the other end of a connection.

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv6Addr, TcpStream};
use std::sync::Arc;

/// A client.
#[derive(Clone, Debug, Default)]
pub struct Peer(Option<Arc<TcpStream>>);

impl Peer {
    /// The client of a connection.
    pub fn new(stream: Arc<TcpStream>) -> Self {
        Peer(Some(stream))
    }

    /// Its address.
    pub fn address(&self) -> Option<IpAddr> {
        self.0.as_ref()?.peer_addr().ok().map(|a| a.ip())
    }

    /// True once it has closed the connection, or its half of it, as a browser does with a page
    /// that is left.
    pub fn is_gone(&self) -> bool {
        let Some(stream) = &self.0 else { return false };
        if stream.set_nonblocking(true).is_err() {
            return true;
        }
        let peeked = stream.peek(&mut [0]);
        let is_restored = stream.set_nonblocking(false).is_ok();
        let is_there = match peeked {
            Ok(bytes) => bytes > 0,
            Err(e) => matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted),
        };
        !is_there || !is_restored
    }
}

/// The network of a client: whoever has one address of IPv6 has 2⁶⁴ of them.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() >> 64 << 64).into(),
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::net::{Shutdown, TcpListener};

    use std::time::Duration;

    use super::*;

    /// Both ends of a connection.
    fn connected() -> (TcpStream, Peer) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (client, Peer::new(Arc::new(listener.accept().unwrap().0)))
    }

    /// What a client did arrives in a moment.
    fn soon(holds: impl Fn() -> bool) -> bool {
        (0..500).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            holds()
        })
    }

    #[test]
    fn a_client_that_hangs_up_is_gone() {
        let (mut client, peer) = connected();
        assert!(!peer.is_gone());
        client.write_all(b"more").unwrap();
        assert!(!peer.is_gone());
        let (client, peer) = connected();
        client.shutdown(Shutdown::Write).unwrap();
        assert!(soon(|| peer.is_gone()));
        let (client, peer) = connected();
        drop(client);
        assert!(soon(|| peer.is_gone()));
        assert!(!Peer::default().is_gone());
    }

    #[test]
    fn a_network_of_ipv6_counts_as_one_client() {
        let of = |address: &str| network(address.parse().unwrap());
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), of("2001:db8:1:2::1"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:10.0.0.1"), of("10.0.0.1"));
        assert_ne!(of("10.0.0.1"), of("10.0.0.2"));
    }
}
