import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEngines } from '@portal/dev-cluster/engines/engines'
import { startDistributedPortal, type DistributedPortal, type SharedEngines } from '../../testing/distributed-portal.ts'
import { seedLearners } from '../../testing/portal-process.ts'
import { type SignedInPortal, signedIn } from '../bench-portal.ts'

type BenchEngines = SharedEngines & { stop(): Promise<void> }

/** Kafka and Redis as `make engines-up` has them: tests start a Kafka that is up sooner and slower for good. */
export const startBenchEngines = async (): Promise<BenchEngines> => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-engines-'))
  const { bus, readModel } = await startEngines({ folder, kinds: ['bus', 'readModel'], lifetime: 'detached' })
  return {
    kafkaUrl: bus.url,
    redisUrl: readModel.url,
    stop: async () => {
      await Promise.all([bus.stop(), readModel.stop()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type BenchDistributed = SignedInPortal & { readonly portal: DistributedPortal }

/** Four services and two gateways, with learners. */
export const startBenchDistributed = async (engines: SharedEngines, learners: number): Promise<BenchDistributed> => {
  let password = ''
  const portal = await startDistributedPortal(engines, {
    prepare: async (settings) => {
      password = await seedLearners(settings['DATA_DIR'] ?? '', learners, settings)
    },
  })
  return { ...(await signedIn(portal.address, password)), portal }
}
