import { CommandError } from '@portal/ops/command'
import { kafkaUserNames } from '@portal/platform/operations/grant-kafka-rights'

/** `admin` grants the others their rights (services/ops/src/grant-kafka.ts). */
export const kafkaLoginNames = [...kafkaUserNames, 'admin'] as const
export type KafkaLoginName = (typeof kafkaLoginNames)[number]

/** Passwords need no escaping in the file. */
const plainPassword = /^[\w-]{8,200}$/

/** The broker's JAAS file: the users and passwords that it accepts from the network. */
export const kafkaUsersFile = (passwordOf: (user: KafkaLoginName) => string): string => {
  const users = kafkaLoginNames.map((user) => {
    const password = passwordOf(user)
    if (!plainPassword.test(password))
      throw new CommandError(`the password of ${user} must be letters, digits, _ and -`)
    return `  user_${user}="${password}"`
  })
  return `KafkaServer {\n  org.apache.kafka.common.security.plain.PlainLoginModule required\n${users.join('\n')};\n};\n`
}
