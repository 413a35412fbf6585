//! The date of an edition. It comes from the manifest or the sources, never from the clock, so that
//! the same input gives the same bytes.

use std::fmt;

/// A day of the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    /// Year.
    pub year: u16,
    /// Month, 1 to 12.
    pub month: u8,
    /// Day, 1 to 31.
    pub day: u8,
}

impl Default for Date {
    /// The first day that a ZIP archive can store.
    fn default() -> Self {
        Date { year: 1980, month: 1, day: 1 }
    }
}

impl Date {
    /// Reads `2026-11-21`.
    pub fn parse(words: &str) -> Option<Self> {
        let mut parts = words.splitn(3, '-');
        let (year, month, day) =
            (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let days = match month {
            2 => 28 + u8::from(leap),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        ((1..=9999).contains(&year) && (1..=12).contains(&month) && (1..=days).contains(&day))
            .then_some(Date { year, month, day })
    }

    /// The day that contains a time in seconds after 1970-01-01T00:00:00Z.
    pub(crate) fn of_seconds(seconds: u64) -> Self {
        // Howard Hinnant's civil_from_days: years begin in March, eras have 400 years.
        let days = seconds / 86_400 + 719_468;
        let (era, of_era) = (days / 146_097, days % 146_097);
        let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let from_march = (5 * of_year + 2) / 153;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        let year = era * 400 + year_of_era + u64::from(month <= 2);
        Date {
            year: year.min(9999) as u16,
            month: month as u8,
            day: (of_year - (153 * from_march + 2) / 5 + 1) as u8,
        }
    }

    /// Its beginning in seconds after 1970-01-01T00:00:00Z; 0 for earlier days.
    pub fn seconds(self) -> u64 {
        let (year, month) =
            (u64::from(self.year) - u64::from(self.month <= 2), u64::from(self.month));
        let of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5
            + u64::from(self.day)
            - 1;
        let days = year * 365 + year / 4 - year / 100 + year / 400 + of_year;
        days.saturating_sub(719_468) * 86_400
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_follow_the_calendar() {
        for (seconds, day) in [
            (0, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (1_795_219_200, "2026-11-21"),
            (4_107_542_399, "2100-02-28"),
        ] {
            assert_eq!(Date::of_seconds(seconds).to_string(), day);
            assert_eq!(Date::parse(day), Some(Date::of_seconds(seconds)));
            assert_eq!(Date::of_seconds(seconds).seconds(), seconds / 86_400 * 86_400);
        }
        for none in
            ["2026-13-01", "2026-02-29", "1900-02-29", "2026-04-31", "2026-01-00", "0000-01-01"]
        {
            assert_eq!(Date::parse(none), None, "{none}");
        }
    }
}
