"""The problems that differentiation tools are compared on, written from their mathematics.

small      llsq, lse, det, ode: one formula each
learning   kmeans, gmm, lstm
vision     ba, ht: bundle adjustment and hand tracking
nested     saddle, particle: derivatives inside the functions that are differentiated

Every function is plain scalar Python over numbers, so it runs on floats, on Values and recorded.
Sizes and the names of inputs are those of the GradBench suite; `gradwalk.bench.gradbench` has the
protocol. Heston and Asian options are in `gradwalk.bench.replay_peers`, microGPT in
`gradwalk.bench.microgpt`.
"""
