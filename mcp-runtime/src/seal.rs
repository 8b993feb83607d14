//! What the server gives to clients to bring back: sealed, so that it can be neither read nor made up.
//!
//! "Servers MUST treat `requestState` as an attacker-controlled input" (basic/patterns/mrtr); cursors are
//! sealed with the same keys. XChaCha20-Poly1305 with a random nonce, base64url without padding.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};

const KEY_BYTES: usize = 32;
const NONCE_BYTES: usize = 24;

/// What a seal is for; one of one purpose never opens for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The position in a list.
    Cursor,
    /// What a suspended call knows.
    RequestState,
}

impl Purpose {
    fn label(self) -> &'static [u8] {
        match self {
            Self::Cursor => b"mcp-runtime cursor 1",
            Self::RequestState => b"mcp-runtime request state 1",
        }
    }

    fn bind(self, place: &[u8]) -> Vec<u8> {
        [self.label(), b"\0", place].concat()
    }
}

/// The keys of a server: the first seals, all of them open, so that keys can be rotated.
pub(crate) struct KeyRing {
    ciphers: Vec<XChaCha20Poly1305>,
    /// Whether no other process has the keys.
    pub(crate) is_private: bool,
}

impl KeyRing {
    /// A key of this process alone.
    pub(crate) fn random() -> Self {
        let mut key = [0; KEY_BYTES];
        getrandom::fill(&mut key).expect("the operating system gives random bytes");
        Self { ciphers: vec![XChaCha20Poly1305::new(&Key::from(key))], is_private: true }
    }

    /// Keys as in `MCP_SEAL_KEYS`: 32 bytes each in base64 or hexadecimal, separated by commas.
    pub(crate) fn parse(keys: &str) -> Result<Self, String> {
        let ciphers: Result<Vec<_>, _> =
            keys.split(',').map(str::trim).filter(|key| !key.is_empty()).enumerate().map(cipher).collect();
        match ciphers? {
            ciphers if ciphers.is_empty() => Err("no seal key is given".to_owned()),
            ciphers => Ok(Self { ciphers, is_private: false }),
        }
    }

    /// Names a seal: its nonce, which no other one has.
    pub(crate) fn id(sealed: &str) -> &str {
        sealed.get(..NONCE_BYTES * 4 / 3).unwrap_or(sealed)
    }

    /// Seals a text for one purpose, and to one place: it opens only where `place` is the same bytes.
    pub(crate) fn seal(&self, purpose: Purpose, place: &[u8], plain: &[u8]) -> String {
        let mut nonce = [0; NONCE_BYTES];
        getrandom::fill(&mut nonce).expect("the operating system gives random bytes");
        let aad = purpose.bind(place);
        let payload = Payload { msg: plain, aad: &aad };
        let sealed = self.ciphers[0].encrypt(&XNonce::from(nonce), payload).expect("the text is short");
        URL_SAFE_NO_PAD.encode([&nonce[..], &sealed].concat())
    }

    /// The text, if one of the keys sealed it for this purpose and place.
    pub(crate) fn open(&self, purpose: Purpose, place: &[u8], sealed: &str) -> Option<Vec<u8>> {
        let bytes = URL_SAFE_NO_PAD.decode(sealed).ok()?;
        let (nonce, sealed) = bytes.split_first_chunk::<NONCE_BYTES>()?;
        let aad = purpose.bind(place);
        let open = |cipher: &XChaCha20Poly1305| {
            cipher.decrypt(&XNonce::from(*nonce), Payload { msg: sealed, aad: &aad }).ok()
        };
        self.ciphers.iter().find_map(open)
    }
}

fn cipher((index, key): (usize, &str)) -> Result<XChaCha20Poly1305, String> {
    let bytes =
        from_hex(key).or_else(|| STANDARD.decode(key).ok()).or_else(|| URL_SAFE_NO_PAD.decode(key).ok());
    let key: Option<[u8; KEY_BYTES]> = bytes.and_then(|bytes| bytes.try_into().ok());
    key.map(|key| XChaCha20Poly1305::new(&Key::from(key))).ok_or_else(|| {
        format!(
            "seal key {} is not 32 bytes in base64 or hexadecimal; make one with `openssl rand -base64 32`",
            index + 1
        )
    })
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let is_hex = text.len() == 2 * KEY_BYTES && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hex.then(|| {
        (0..KEY_BYTES).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap_or(0)).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    const NEW: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1eff";

    #[test]
    fn a_seal_opens_and_hides_its_text() {
        let keys = KeyRing::random();
        let sealed = keys.seal(Purpose::Cursor, b"", b"tools 50");
        assert_eq!(keys.open(Purpose::Cursor, b"", &sealed).as_deref(), Some(&b"tools 50"[..]));
        assert_ne!(sealed, keys.seal(Purpose::Cursor, b"", b"tools 50"));
    }

    #[test]
    fn a_changed_seal_does_not_open() {
        let keys = KeyRing::random();
        let sealed = keys.seal(Purpose::Cursor, b"", b"tools 50");
        for index in 0..sealed.len() {
            let mut changed = sealed.clone().into_bytes();
            changed[index] = if changed[index] == b'A' { b'B' } else { b'A' };
            // The last character carries unused bits; base64 refuses it when they are set.
            let changed = String::from_utf8(changed).expect("it is ASCII");
            if changed != sealed {
                assert_eq!(keys.open(Purpose::Cursor, b"", &changed), None, "at {index}");
            }
        }
        assert_eq!(keys.open(Purpose::Cursor, b"", ""), None);
    }

    #[test]
    fn keys_rotate() {
        let before = KeyRing::parse(OLD).expect("a key");
        let after = KeyRing::parse(&format!("{NEW}, {OLD}")).expect("two keys");
        let sealed = before.seal(Purpose::Cursor, b"", b"x");
        assert_eq!(after.open(Purpose::Cursor, b"", &sealed).as_deref(), Some(&b"x"[..]));
        assert_eq!(before.open(Purpose::Cursor, b"", &after.seal(Purpose::Cursor, b"", b"x")), None);
    }

    #[test]
    fn a_bad_key_says_what_to_type() {
        let error = KeyRing::parse("secret").err().expect("too short");
        assert_eq!(
            error,
            "seal key 1 is not 32 bytes in base64 or hexadecimal; make one with `openssl rand -base64 32`"
        );
    }
}
