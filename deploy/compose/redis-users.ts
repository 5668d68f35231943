import { createHash } from 'node:crypto'

/**
 * Access rights in Redis. Every process reads all read models, because requests check ended sessions and the active
 * generation. Every process writes the records in `control`: leases, discontinuities, generations. A service writes the
 * read models of its own projections, in any version and generation, and counts limits. A gateway writes no read model.
 */
const inNotifications = [
  'inbox',
  'recipients',
  'devices',
  'audience',
  'preferences',
  'drafts',
  'templates',
  'audit',
] as const

/** Projection names. A test in services/ops compares them with the code. */
export const redisWriters: Readonly<
  Record<'auth' | 'catalog' | 'notifications' | 'delivery' | 'gateway', readonly string[]>
> = {
  auth: [
    'users',
    'logins',
    'sessions',
    'open-sessions',
    'api-keys',
    'invitations',
    'unfinished-registrations',
    'university-names',
  ],
  catalog: ['universities', 'programs', 'enrollments', 'learner-invitations'],
  notifications: inNotifications,
  delivery: [...inNotifications, 'ledger'],
  gateway: [],
}

export const redisUserNames = ['auth', 'catalog', 'notifications', 'delivery', 'gateway', 'ops'] as const
export type RedisUserName = (typeof redisUserNames)[number]

const commands =
  '-@all +@read +@write +@connection +publish +spublish +subscribe +ssubscribe +unsubscribe +sunsubscribe +pubsub ' +
  '+eval +evalsha +eval_ro +evalsha_ro +time -@admin -@dangerous +info'

const rulesOf = (user: RedisUserName, prefix: string): string => {
  if (user === 'ops') return `~{${prefix}:* &{${prefix}:*`
  const own = redisWriters[user].map((name) => `~{${prefix}:${name}[-.:}]*`)
  const counted = user === 'gateway' ? [] : [`~{${prefix}:limits:*`]
  return [
    `%R~{${prefix}:*`,
    `~{${prefix}:control[:}]*`,
    ...own,
    ...counted,
    `&{${prefix}:*`,
    `&${prefix}:sockets*`,
  ].join(' ')
}

const hashed = (password: string): string => `#${createHash('sha256').update(password).digest('hex')}`

/**
 * The content of Redis' aclfile. It contains hashes, which reveal nothing about random passwords. The user `health` may
 * only ping; the default user is disabled.
 */
export const redisUsersFile = (passwords: Readonly<Record<RedisUserName, string>>, prefix = 'portal'): string =>
  [
    'user default off',
    'user health on nopass resetkeys resetchannels -@all +ping',
    ...redisUserNames.map(
      (user) =>
        `user ${user} on ${hashed(passwords[user])} resetkeys resetchannels ${rulesOf(user, prefix)} ${commands}`,
    ),
    '',
  ].join('\n')
