import math

import casadi as ca
import numpy as np

p, draws = ca.SX.sym("p", 2), ca.SX.sym("z", 12)
s, total = p[0], 0.0
for i in range(12):
    s = s * ca.exp(-p[1] * p[1] / 24 + p[1] * math.sqrt(1 / 12) * draws[i])
    total = total + s
payoff = ca.fmax(total / 12 - 100.0, 0.0)
f = ca.Function("f", [p, draws], [payoff, ca.gradient(payoff, p)])

z = np.random.default_rng(7).standard_normal((1000, 12))
out, grads = f.map(1000)(np.tile([[100.0], [0.2]], 1000), z.T)
ds0, dsigma = np.array(grads).mean(axis=1)
print(f"{np.array(out).mean():.6f} {ds0:.6f} {dsigma:.6f}")
