import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** `redis://127.0.0.1:6379` */
    redisUrl: string
    /** `kafka://127.0.0.1:9092` */
    kafkaUrl: string
  }
}

const addressIn = (variable: string): string => {
  const address = process.env[variable]
  if (!address) throw new Error(`The engines' tests need ${variable}`)
  return address
}

/** The engines that the adapters' tests share. Each test keeps to namespaces and topics of its own. */
export default function setup(project: TestProject): void {
  project.provide('redisUrl', addressIn('TEST_REDIS_URL'))
  project.provide('kafkaUrl', addressIn('TEST_KAFKA_URL'))
}
