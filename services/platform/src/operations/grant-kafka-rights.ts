import { topics } from '@portal/contracts/shared/event-envelope'
import type { AclEntry } from 'kafkajs'
import type { Logger } from 'pino'
import { type KafkaAddress, parseKafkaAddress } from '../bus/kafka/address.ts'
import { createKafkaClient } from '../bus/kafka/client.ts'
import { topicName } from '../bus/kafka/topics.ts'

/** Values of kafkajs, which ES modules cannot import from it. */
const resourceTypes = { topic: 2, group: 3 } as const
const patterns = { literal: 3, prefixed: 4 } as const
const operations = { read: 3, write: 4, create: 5, describe: 8, describeConfigs: 10 } as const
const allow = 3

type Right = Pick<AclEntry, 'resourceType' | 'resourceName' | 'resourcePatternType' | 'operation'>

/** docs/kafka.md explains them. */
const rightsOf = (user: KafkaUser, address: KafkaAddress): readonly Right[] => {
  const onTopic = (topic: string, operation: keyof typeof operations): Right => ({
    resourceType: resourceTypes.topic,
    resourceName: topic,
    resourcePatternType: patterns.literal,
    operation: operations[operation],
  })
  const onGroups = (name: string, pattern: keyof typeof patterns, operation: keyof typeof operations): Right => ({
    resourceType: resourceTypes.group,
    resourceName: name,
    resourcePatternType: patterns[pattern],
    operation: operations[operation],
  })
  const names = topics.map((topic) => ({ topic, name: topicName(address, topic) }))
  const read = names.map(({ name }) => onTopic(name, 'read'))
  if (user === 'gateway') return [...read, onGroups(`${address.prefix}gateway-`, 'prefixed', 'read')]
  if (user === 'ops')
    return [
      ...read,
      ...names.map(({ name }) => onTopic(name, 'describeConfigs')),
      onGroups('*', 'literal', 'read'),
      onGroups('*', 'literal', 'describe'),
    ]
  return [
    ...read,
    ...names.map(({ name }) => onTopic(name, 'create')),
    ...names.filter(({ topic }) => topic === user).map(({ name }) => onTopic(name, 'write')),
    onGroups('*', 'literal', 'read'),
  ]
}

export const kafkaUserNames = ['auth', 'catalog', 'notifications', 'delivery', 'gateway', 'ops'] as const
type KafkaUser = (typeof kafkaUserNames)[number]

/** Grants each user its rights and takes none away. BUS_URL names a super user. Can be repeated. */
export const grantKafkaRights = async (busUrl: string, logger: Logger): Promise<void> => {
  const address = parseKafkaAddress(busUrl)
  const admin = createKafkaClient(address, logger).admin({ retry: { retries: 5 } })
  await admin.connect()
  try {
    const acl = kafkaUserNames.flatMap((user) =>
      rightsOf(user, address).map((right) => ({
        ...right,
        principal: `User:${user}`,
        host: '*',
        permissionType: allow,
      })),
    )
    await admin.createAcls({ acl })
  } finally {
    await admin.disconnect()
  }
}
