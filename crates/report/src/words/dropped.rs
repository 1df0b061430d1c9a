//! Say that a mean leaves repetitions out.

/// What a cell says of a mean over `n` of `all` splits, where another cell of its row, or the plan,
/// has more: ` (2 of 8)`. Empty for all of them, and where there is no mean.
pub fn part_of(n: usize, all: usize) -> String {
    if n > 0 && n < all { format!(" ({n} of {all})") } else { String::new() }
}
