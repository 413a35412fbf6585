//! A file of an edition while it is made. It waits in a folder of its own, and its hash is taken as
//! it is written: the TEI of a long chapter is many times its text, and need never be in memory.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;

use sha2::{Digest, Sha256};

use super::stamp;
use crate::diag::Error;

/// So many bytes are kept in memory. Most files are shorter, and most of these are the same as in
/// the last build: they are not written at all.
const BYTES_IN_MEMORY: usize = 1 << 20;

/// The file.
pub struct WaitingFile {
    /// Where it waits.
    at: PathBuf,
    /// Where it will be.
    to: PathBuf,
    hash: Sha256,
    /// What is not on the disk yet.
    kept: Vec<u8>,
    /// What is, of a long one.
    begun: Option<File>,
}

impl WaitingFile {
    /// A file that waits at `at` and will be at `to`.
    pub fn new(at: PathBuf, to: PathBuf) -> Self {
        WaitingFile { at, to, hash: Sha256::new(), kept: vec![], begun: None }
    }

    /// Its hash, and whether it differs from what is in its place; if it does not, nothing waits.
    /// It has the permissions of the file that it will replace.
    ///
    /// # Errors
    /// When writing fails; the message names its place.
    pub fn finish(mut self) -> Result<(String, bool), Error> {
        let hash = stamp::in_hexadecimal(&std::mem::take(&mut self.hash).finalize());
        let is_new = !stamp::is(&self.to, &hash);
        self.settle(is_new).map_err(|e| Error::io(&self.to, "write", &e))?;
        Ok((hash, is_new))
    }

    fn settle(&mut self, is_new: bool) -> io::Result<()> {
        if !is_new {
            return if self.begun.take().is_some() { fs::remove_file(&self.at) } else { Ok(()) };
        }
        self.write_kept()?;
        match fs::metadata(&self.to) {
            Ok(old) => fs::set_permissions(&self.at, old.permissions()),
            Err(_) => Ok(()),
        }
    }

    fn write_kept(&mut self) -> io::Result<()> {
        let file = match &mut self.begun {
            Some(file) => file,
            begun => begun.insert(File::create(&self.at)?),
        };
        file.write_all(&self.kept)?;
        self.kept.clear();
        Ok(())
    }
}

impl Write for WaitingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.hash.update(bytes);
        self.kept.extend_from_slice(bytes);
        if self.kept.len() >= BYTES_IN_MEMORY {
            self.write_kept()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_waits_only_if_it_differs_from_what_is_in_its_place() {
        let folder = tempfile::tempdir().expect("a folder");
        let (at, to) = (folder.path().join("waits"), folder.path().join("there"));
        let short = b"short".to_vec();
        let long = vec![b'x'; 3 * BYTES_IN_MEMORY + 7];
        for (content, other) in [(&short, &long), (&long, &short)] {
            let made = || {
                let mut file = WaitingFile::new(at.clone(), to.clone());
                content.chunks(1000).for_each(|part| file.write_all(part).expect("it is written"));
                file.finish().expect("it is written")
            };
            fs::write(&to, other).expect("it is written");
            assert_eq!(made(), (stamp::hash(content), true));
            assert_eq!(&fs::read(&at).expect("it waits"), content);
            fs::rename(&at, &to).expect("it gets its place");
            assert_eq!(made(), (stamp::hash(content), false));
            assert!(!at.exists());
        }
    }
}
