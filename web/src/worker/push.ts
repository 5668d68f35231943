import { handlePushEvents, type PushScope } from '../features/push/worker/handle-push-events.ts'

declare const self: PushScope

handlePushEvents(self)
