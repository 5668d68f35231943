import type { TestProject } from 'vitest/node'
import { enginesForTests } from './engines-for-tests.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** `redis://127.0.0.1:6379` */
    redisUrl: string
    /** `kafka://127.0.0.1:9092` */
    kafkaUrl: string
    /** A real EventStoreDB, where one was given or Docker can run it; tests start the stand-in for themselves else. */
    eventStoreDbUrl: string | undefined
  }
}

/**
 * The engines that the adapters' tests share. Each test keeps to namespaces and topics of its own. Fails if one cannot start.
 * `make test` has started them already, once for all projects, and names them.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { urls, stop } = await enginesForTests(process.env)
  project.provide('redisUrl', urls.readModel ?? '')
  project.provide('kafkaUrl', urls.bus ?? '')
  project.provide('eventStoreDbUrl', urls.eventStore)
  return stop
}
