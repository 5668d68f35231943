import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import type { ReadStore } from '@portal/platform/read-model/port'
import type { Devices } from '../device/devices.ts'
import { failedRecipientsOf, failedRef } from '../read-model.ts'

/** The read model's limit per read. */
const maxDocumentsPerRead = 10_000

type Deps = {
  readonly readModel: Pick<ReadStore, 'getMany'>
  readonly devices: Pick<Devices, 'holders'>
}

/** Reads the recipients whose push failed and who have a device now, so that a resend can change something. */
export const createResendableRecipients =
  ({ readModel, devices }: Deps) =>
  async (notificationId: NotificationId, buckets: readonly string[]): Promise<readonly UserId[]> => {
    const documents = await readModel.getMany(buckets.map((bucket) => failedRef(bucket, notificationId)))
    const failed = documents.flatMap(failedRecipientsOf)
    const resendable: UserId[] = []
    for (let from = 0; from < failed.length; from += maxDocumentsPerRead)
      resendable.push(...(await devices.holders(failed.slice(from, from + maxDocumentsPerRead))))
    return resendable
  }
export type ResendableRecipients = ReturnType<typeof createResendableRecipients>
