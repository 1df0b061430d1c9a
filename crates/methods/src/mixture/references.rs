//! List the publications behind these methods, for `uqbench cite`. The modules say what each is
//! for.

use uq_core::metrics::Publication;

/// Each with the methods that it is behind.
pub const PUBLICATIONS: &[Publication] = &[
    Publication {
        key: "dempster1977maximum",
        authors: "Dempster, A. P. and Laird, N. M. and Rubin, D. B.",
        title: "Maximum likelihood from incomplete data via the EM algorithm",
        venue: "JRSS B 39",
        year: 1977,
        of: &["gmm-regression", "jcm", "jcm-validated"],
    },
    Publication {
        key: "ghahramani1994supervised",
        authors: "Ghahramani, Z. and Jordan, M. I.",
        title: "Supervised learning from incomplete data via an EM approach",
        venue: "NIPS 6",
        year: 1994,
        of: &["gmm-regression"],
    },
    Publication {
        key: "sung2004gaussian",
        authors: "Sung, H. G.",
        title: "Gaussian Mixture Regression and Classification",
        venue: "PhD thesis, Rice University",
        year: 2004,
        of: &["gmm-regression"],
    },
    Publication {
        key: "arthur2007kmeans",
        authors: "Arthur, D. and Vassilvitskii, S.",
        title: "k-means++: the advantages of careful seeding",
        venue: "SODA",
        year: 2007,
        of: &["gmm-regression", "jcm", "jcm-validated"],
    },
    Publication {
        key: "edelman1998geometry",
        authors: "Edelman, A. and Arias, T. A. and Smith, S. T.",
        title: "The geometry of algorithms with orthogonality constraints",
        venue: "SIAM Journal on Matrix Analysis and Applications 20",
        year: 1998,
        of: &["jcm", "jcm-validated"],
    },
    Publication {
        key: "absil2009optimization",
        authors: "Absil, P.-A. and Mahony, R. and Sepulchre, R.",
        title: "Optimization algorithms on matrix manifolds",
        venue: "Princeton University Press",
        year: 2009,
        of: &["jcm", "jcm-validated"],
    },
    Publication {
        key: "bonnabel2013stochastic",
        authors: "Bonnabel, S.",
        title: "Stochastic gradient descent on Riemannian manifolds",
        venue: "IEEE Transactions on Automatic Control 58",
        year: 2013,
        of: &["jcm", "jcm-validated"],
    },
    Publication {
        key: "huber2008entropy",
        authors: "Huber, M. F. and Bailey, T. and Durrant-Whyte, H. and Hanebeck, U. D.",
        title: "On entropy approximation for Gaussian mixture random vectors",
        venue: "MFI",
        year: 2008,
        of: &["random-mixtures"],
    },
    Publication {
        key: "cover2006elements",
        authors: "Cover, T. M. and Thomas, J. A.",
        title: "Elements of Information Theory",
        venue: "Wiley, 2nd edition",
        year: 2006,
        of: &["random-mixtures"],
    },
];
