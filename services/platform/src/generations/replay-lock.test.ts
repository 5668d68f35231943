import { replayLockContract } from '@portal/platform/testing/generations/replay-lock-contract'
import { openSqliteReadModel } from '../read-model/sqlite.ts'

replayLockContract('SQLite', async () => openSqliteReadModel({ path: ':memory:', namespace: 'control' }))
