//! Spread points evenly over the unit cube by Sobol's sequence, scrambled at random.
//!
//! Without scrambling the sequence contains the centre of the cube, where several test functions
//! have their optimum. Owen's scrambling moves every point and keeps how evenly they lie.
//!
//! # References
//! I. M. Sobol: *On the distribution of points in a cube and the approximate evaluation of
//! integrals*, USSR Computational Mathematics and Mathematical Physics 7, 1967. B. Burley:
//! *Practical hash-based Owen scrambling*, Journal of Computer Graphics Techniques 9, 2020.

use ndarray::Array2;
use rand::RngExt;

use uq_core::math::random::Rng;

/// Most coordinates of a point.
pub const MOST_INPUTS: usize = sobol_burley::NUM_DIMENSIONS as usize;

/// Most points of a sequence.
pub const MOST_POINTS: usize = 1 << 16;

/// A scrambled sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sobol {
    seed: u32,
}

impl Sobol {
    /// A sequence whose scrambling is drawn from `rng`.
    pub fn new(rng: &mut Rng) -> Self {
        Self { seed: rng.random() }
    }

    /// Points `first` to `first + count − 1` of the sequence (count × inputs), each coordinate in
    /// [0, 1).
    ///
    /// # Panics
    /// For more than [`MOST_INPUTS`] coordinates or [`MOST_POINTS`] points.
    pub fn points(self, first: usize, count: usize, inputs: usize) -> Array2<f64> {
        assert!(
            inputs <= MOST_INPUTS && first + count <= MOST_POINTS,
            "{inputs} inputs, {first} + {count} points"
        );
        let at = |(i, j): (usize, usize)| {
            f64::from(sobol_burley::sample((first + i) as u32, j as u32, self.seed))
        };
        Array2::from_shape_fn((count, inputs), at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uq_core::math::random::Streams;

    fn sobol(index: u64) -> Sobol {
        Sobol::new(&mut Streams::new(1, "sobol").stream("scrambling", index))
    }

    #[test]
    fn each_of_equal_cells_holds_one_point() {
        // Points 0 to 2^m − 1 have one coordinate in each of 2^m equal intervals; two coordinates
        // of a net of 16 share out 4 × 4.
        let points = sobol(0).points(0, 16, 124);
        for column in points.columns() {
            let mut cells: Vec<usize> = column.iter().map(|x| (16.0 * x) as usize).collect();
            cells.sort_unstable();
            assert_eq!(cells, (0..16).collect::<Vec<_>>());
        }
        let mut squares: Vec<usize> = points
            .rows()
            .into_iter()
            .map(|row| 4 * (4.0 * row[0]) as usize + (4.0 * row[1]) as usize)
            .collect();
        squares.sort_unstable();
        assert_eq!(squares, (0..16).collect::<Vec<_>>());
    }

    #[test]
    fn a_sequence_goes_on_and_another_seed_gives_another() {
        let all = sobol(0).points(0, 20, 3);
        assert_eq!(
            sobol(0).points(12, 8, 3),
            all.select(ndarray::Axis(0), &(12..20).collect::<Vec<_>>())
        );
        assert_ne!(sobol(1).points(0, 20, 3), all);
        assert!(all.iter().all(|x| (0.0..1.0).contains(x)));
    }
}
