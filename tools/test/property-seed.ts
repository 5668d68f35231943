import { configureGlobal } from 'fast-check'

/**
 * One seed for all properties, so that the verdict depends on the commit alone. `make verify` sets RANDOM_SEEDS: there each run tries
 * other inputs, and a failure prints its seed.
 */
if (!process.env['RANDOM_SEEDS']) configureGlobal({ seed: 20_260_101 })
