import type { PushScope } from '../features/push/worker/scope.ts'
import { servePushes } from '../features/push/worker/serve-pushes.ts'

declare const self: PushScope

servePushes(self)
