import { leaseContract } from '@portal/platform/testing/bus/lease-contract'
import { openSqliteReadModel } from '../read-model/sqlite.ts'

leaseContract('SQLite', async () => openSqliteReadModel({ path: ':memory:', namespace: 'control' }))
