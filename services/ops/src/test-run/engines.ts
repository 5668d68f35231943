import { dockerAnswers } from '@portal/dev-cluster/engines/docker-cli'
import { missingForEngines } from '@portal/dev-cluster/engines/engines'
import { installFromDebian } from './debian.ts'

const packages = ['redis-server', 'default-jre-headless', 'maven']

const areGiven = (environment: NodeJS.ProcessEnv): boolean =>
  Boolean(environment['TEST_REDIS_URL'] && environment['TEST_KAFKA_URL'])

/**
 * Sees to it that the engines' tests find what they need: engines that are given, a Docker engine, or servers to start. Throws
 * with what to install when that could not be had.
 */
export const provideEngines = (environment: NodeJS.ProcessEnv): void => {
  if (areGiven(environment) || dockerAnswers() || missingForEngines().length === 0) return
  process.stderr.write("Installing Redis, and Java and Maven for Kafka, for the engines' tests …\n")
  installFromDebian(packages)
  const missing = missingForEngines()
  if (missing.length > 0) throw new Error(`The engines' tests cannot run. ${missing.join('; ')}`)
}
