//! Generate random numbers by MT19937, for published splits of data that are defined by its seeds.
//!
//! All other randomness comes from [`uq_core::math::random`]; this one only reproduces published
//! draws.
//!
//! Reference: M. Matsumoto and T. Nishimura, "Mersenne twister: a 623-dimensionally equidistributed
//! uniform pseudo-random number generator", ACM Transactions on Modeling and Computer Simulation
//! 8(1), 1998.

/// Words of the state.
const N: usize = 624;
/// Distance of the word that is mixed in.
const M: usize = 397;

/// MT19937 with 32-bit outputs.
#[derive(Clone, Debug)]
pub struct MersenneTwister {
    state: [u32; N],
    next: usize,
}

impl MersenneTwister {
    /// The state that the reference's `init_genrand(seed)` makes.
    pub fn new(seed: u32) -> Self {
        let mut state = [seed; N];
        for i in 1..N {
            let previous = state[i - 1] ^ (state[i - 1] >> 30);
            state[i] = previous.wrapping_mul(1_812_433_253).wrapping_add(i as u32);
        }
        Self { state, next: N }
    }

    /// The next output, uniform over all 32-bit words.
    pub fn next_u32(&mut self) -> u32 {
        if self.next == N {
            self.twist();
        }
        let mut word = self.state[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= (word << 7) & 0x9d2c_5680;
        word ^= (word << 15) & 0xefc6_0000;
        word ^ (word >> 18)
    }

    fn twist(&mut self) {
        for i in 0..N {
            let joined = (self.state[i] & 0x8000_0000) | (self.state[(i + 1) % N] & 0x7fff_ffff);
            let odd = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
            self.state[i] = self.state[(i + M) % N] ^ (joined >> 1) ^ odd;
        }
        self.next = 0;
    }

    /// Uniform over `0..=max`: outputs are masked to the bits of `max`, larger ones are discarded.
    pub fn at_most(&mut self, max: u32) -> u32 {
        let mask = u32::MAX.checked_shr(max.leading_zeros()).unwrap_or(0);
        loop {
            let value = self.next_u32() & mask;
            if value <= max {
                return value;
            }
        }
    }

    /// A uniformly random permutation of `0..n`, Fisher-Yates from the top: the rule of numpy's
    /// `RandomState.permutation(n)`.
    pub fn permutation(&mut self, n: u32) -> Vec<usize> {
        let mut items: Vec<usize> = (0..n as usize).collect();
        for i in (1..n).rev() {
            let j = self.at_most(i);
            items.swap(i as usize, j as usize);
        }
        items
    }
}

#[cfg(test)]
mod tests {
    use super::MersenneTwister;

    #[test]
    fn outputs_are_those_of_the_reference() {
        let mut generator = MersenneTwister::new(5489);
        let first: Vec<u32> = (0..3).map(|_| generator.next_u32()).collect();
        assert_eq!(first, [3_499_211_612, 581_869_302, 3_890_346_734]);
        let last = (3..10_000).map(|_| generator.next_u32()).last();
        assert_eq!(last, Some(4_123_659_995), "the 10000th output, which the C++ standard gives");
    }

    #[test]
    fn permutations_are_those_of_numpy() {
        // numpy.random.RandomState(1).permutation(10)
        assert_eq!(MersenneTwister::new(1).permutation(10), [2, 9, 6, 4, 0, 3, 1, 7, 8, 5]);
        assert!(MersenneTwister::new(1).permutation(0).is_empty());
    }

    #[test]
    fn bounds_are_kept_and_reached() {
        let mut generator = MersenneTwister::new(3);
        for max in [0, 1, 2, 5, 8] {
            let mut seen: Vec<u32> = (0..500).map(|_| generator.at_most(max)).collect();
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen, (0..=max).collect::<Vec<_>>());
        }
    }
}
