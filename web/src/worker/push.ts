import { servePushes, type PushScope } from '../features/push/worker/serve-pushes.ts'

declare const self: PushScope

servePushes(self)
