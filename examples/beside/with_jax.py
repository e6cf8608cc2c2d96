import math

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)


def payoff(s0, sigma, z):
    def step(carry, zi):
        s, total = carry
        s = s * jnp.exp(-sigma * sigma / 24 + sigma * math.sqrt(1 / 12) * zi)
        return (s, total + s), None

    (_, total), _ = jax.lax.scan(step, (s0, 0.0), z)
    return jnp.maximum(total / 12 - 100.0, 0.0)


@jax.jit
def price(s0, sigma, z):
    return jax.vmap(payoff, (None, None, 0))(s0, sigma, z).mean()


z = np.random.default_rng(7).standard_normal((1000, 12))
out, (ds0, dsigma) = jax.value_and_grad(price, (0, 1))(100.0, 0.2, z)
print(f"{out:.6f} {ds0:.6f} {dsigma:.6f}")
