//! Divide a group of rows where a fit has another mean on either side.

use super::bits::{BitRows, Bits};

/// Rows by whether their outcome is at most the threshold.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// Those whose outcome is.
    pub ones: Vec<usize>,
    /// The others.
    pub zeros: Vec<usize>,
}

impl Group {
    /// Whether all rows are of one kind, so that the fit has no error.
    pub(super) fn is_pure(&self) -> bool {
        self.ones.is_empty() || self.zeros.is_empty()
    }

    /// Σ (b − p)² of the single mean p.
    pub(super) fn squares(&self) -> f64 {
        let (ones, zeros) = (self.ones.len() as f64, self.zeros.len() as f64);
        ones * zeros / (ones + zeros)
    }

    /// The part with the larger mean, and the rest; `None` where the best fit of all is one mean.
    /// `below.row(j)` has the rows that are at most row j.
    pub(super) fn divide(&self, below: &BitRows) -> Option<[Self; 2]> {
        let mut flow = Flow::new(self, below);
        flow.send_directly();
        loop {
            let mut reached = flow.search();
            if !reached.is_demand_met {
                flow.send_along(&mut reached);
                continue;
            }
            if flow.supply.iter().all(|&left| left == 0) {
                return None;
            }
            let split = |rows: &[usize], layers: &[Bits]| -> (Vec<usize>, Vec<usize>) {
                let is_reached = |at: usize| layers.iter().any(|layer| layer.contains(at));
                let (inside, outside): (Vec<usize>, Vec<usize>) =
                    (0..rows.len()).partition(|&at| is_reached(at));
                let pick = |places: Vec<usize>| places.into_iter().map(|at| rows[at]).collect();
                (pick(inside), pick(outside))
            };
            let (ones, other_ones) = split(&self.ones, &reached.ones);
            let (zeros, other_zeros) = split(&self.zeros, &reached.zeros);
            return Some([Self { ones, zeros }, Self { ones: other_ones, zeros: other_zeros }]);
        }
    }
}

/// A flow from the ones of a group to its zeros.
struct Flow {
    /// The zeros that are at most each one.
    targets: BitRows,
    /// The ones that send to each zero.
    senders: BitRows,
    /// What each one has left, of as many units as there are zeros.
    supply: Vec<u32>,
    /// What each zero still takes, of as many units as there are ones.
    demand: Vec<u32>,
    /// Sent from each one to each zero, ones × zeros.
    sent: Vec<u32>,
}

/// What the ones with units left reach: each layer in one step from the one before it.
struct Reached {
    ones: Vec<Bits>,
    zeros: Vec<Bits>,
    /// Whether no zero that is reached takes more.
    is_demand_met: bool,
}

impl Flow {
    fn new(group: &Group, below: &BitRows) -> Self {
        let (ones, zeros) = (group.ones.len(), group.zeros.len());
        let mut targets = BitRows::new(ones, zeros);
        for (one, &upper) in group.ones.iter().enumerate() {
            let is_target = |zero: &usize| below.is_set(upper, group.zeros[*zero]);
            (0..zeros).filter(is_target).for_each(|zero| targets.set(one, zero));
        }
        Self {
            targets,
            senders: BitRows::new(zeros, ones),
            supply: vec![zeros as u32; ones],
            demand: vec![ones as u32; zeros],
            sent: vec![0; ones * zeros],
        }
    }

    fn ones(&self) -> usize {
        self.supply.len()
    }

    fn zeros(&self) -> usize {
        self.demand.len()
    }

    /// Adds to what a one sends to a zero.
    fn send(&mut self, one: usize, zero: usize, units: u32) {
        self.sent[one * self.demand.len() + zero] += units;
        self.senders.set(zero, one);
    }

    /// Takes back some of what a one sends to a zero.
    fn take_back(&mut self, one: usize, zero: usize, units: u32) {
        let sent = &mut self.sent[one * self.demand.len() + zero];
        *sent -= units;
        if *sent == 0 {
            self.senders.clear(zero, one);
        }
    }

    /// Sends what each one can send before any other one has to make room.
    fn send_directly(&mut self) {
        let mut open = Bits::new(self.zeros());
        (0..self.zeros()).for_each(|zero| open.insert(zero));
        for one in 0..self.ones() {
            let mut from = 0;
            while self.supply[one] > 0
                && let Some(zero) = open.next_in(self.targets.row(one), from)
            {
                let units = self.supply[one].min(self.demand[zero]);
                self.send(one, zero, units);
                self.supply[one] -= units;
                self.demand[zero] -= units;
                if self.demand[zero] == 0 {
                    open.remove(zero);
                }
                from = zero + 1;
            }
        }
    }

    /// Finds the layers, up to the first with a zero that takes more.
    fn search(&self) -> Reached {
        let (mut seen_ones, mut seen_zeros) = (Bits::new(self.ones()), Bits::new(self.zeros()));
        let mut ones = Bits::new(self.ones());
        (0..self.ones()).filter(|&one| self.supply[one] > 0).for_each(|one| ones.insert(one));
        let mut reached = Reached { ones: Vec::new(), zeros: Vec::new(), is_demand_met: true };
        while !ones.is_empty() {
            seen_ones.unite(&ones);
            let mut zeros = Bits::new(self.zeros());
            ones.members().for_each(|one| zeros.add(self.targets.row(one)));
            zeros.subtract(&seen_zeros);
            seen_zeros.unite(&zeros);
            reached.ones.push(ones);
            reached.is_demand_met = zeros.members().all(|zero| self.demand[zero] == 0);
            ones = Bits::new(self.ones());
            if reached.is_demand_met {
                zeros.members().for_each(|zero| ones.add(self.senders.row(zero)));
                ones.subtract(&seen_ones);
            }
            reached.zeros.push(zeros);
        }
        reached
    }

    /// Sends all that the shortest ways can carry; layers lose what leads nowhere.
    fn send_along(&mut self, reached: &mut Reached) {
        for one in 0..self.ones() {
            if self.supply[one] > 0 {
                let units = self.push(reached, 0, one, self.supply[one]);
                self.supply[one] -= units;
            }
        }
    }

    /// Sends up to `units` from a one of this layer. Returns what the ways could carry.
    fn push(&mut self, reached: &mut Reached, layer: usize, one: usize, units: u32) -> u32 {
        let (mut left, mut from) = (units, 0);
        while left > 0
            && let Some(zero) = reached.zeros[layer].next_in(self.targets.row(one), from)
        {
            from = zero + 1;
            let carried = self.make_room(reached, layer, zero, left);
            if carried > 0 {
                self.send(one, zero, carried);
                left -= carried;
            }
            if left > 0 {
                reached.zeros[layer].remove(zero);
            }
        }
        units - left
    }

    /// Lets a zero of this layer take up to `units` more: it takes them itself, or the ones that send
    /// to it send some elsewhere.
    fn make_room(&mut self, reached: &mut Reached, layer: usize, zero: usize, units: u32) -> u32 {
        if layer + 1 == reached.zeros.len() {
            let taken = units.min(self.demand[zero]);
            self.demand[zero] -= taken;
            return taken;
        }
        let (mut left, mut from) = (units, 0);
        while left > 0
            && let Some(other) = reached.ones[layer + 1].next_in(self.senders.row(zero), from)
        {
            from = other + 1;
            let wanted = left.min(self.sent[other * self.demand.len() + zero]);
            let moved = self.push(reached, layer + 1, other, wanted);
            if moved > 0 {
                self.take_back(other, zero, moved);
                left -= moved;
            }
            if moved < wanted {
                reached.ones[layer + 1].remove(other);
            }
        }
        units - left
    }
}
