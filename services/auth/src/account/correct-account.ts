import * as accountError from '@portal/contracts/auth/account-errors'
import * as error from '@portal/contracts/auth/errors'
import type { RouteError } from '@portal/contracts/shared/route'
import type { UserId } from '@portal/contracts/shared/ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { EventMetadata } from '@portal/platform/event-store/port'
import type { ApiError } from '@portal/platform/http/handler'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { ConfirmNumber } from '../mobile-number/confirm-number.ts'
import type { ListedUniversities } from '../registration/listed-universities.ts'
import type { ChangeProfile } from '../user/change-profile.ts'
import type { LoadAccount } from './account.ts'

type CorrectAccountDeps = {
  readonly vault: Pick<PersonalDataVault, 'index'>
  /** Absent: any university is accepted. */
  readonly universities?: ListedUniversities | undefined
  readonly confirmNumber: ConfirmNumber
  readonly loadAccount: LoadAccount
  readonly changeProfile: ChangeProfile
}

type Correction = { readonly universityName?: string | undefined; readonly mobileNumber?: string | undefined }

const atField = (field: keyof Correction, failed: RouteError): ApiError => ({
  ...failed,
  errors: { [field]: failed.message },
})

/** An admin corrects what a person cannot change themself. The rules are those of a registration. */
export const createCorrectAccount =
  ({ vault, universities, confirmNumber, loadAccount, changeProfile }: CorrectAccountDeps) =>
  async (
    userId: UserId,
    { universityName, mobileNumber }: Correction,
    metadata: EventMetadata,
  ): Promise<Result<void, ApiError>> => {
    const account = await loadAccount(userId)
    if (!account) return rejected(accountError.personNotFound)
    const { emailIndex } = account.user
    const university = universityName === undefined ? undefined : await universities?.find(universityName)
    if (university?.ok === false) return rejected(atField('universityName', error.notListed))
    if (mobileNumber !== undefined && mobileNumber !== account.profile.mobileNumber) {
      const isFree = await confirmNumber(vault.index('mobile', mobileNumber), { userId, emailIndex }, metadata)
      if (!isFree) return rejected(atField('mobileNumber', accountError.numberOfAnother))
    }
    const change = {
      ...(universityName !== undefined && { universityName, universityId: university?.value }),
      ...(mobileNumber !== undefined && { mobileNumber }),
    }
    const changed = await changeProfile(userId, change, metadata)
    return changed ? ok(undefined) : rejected(accountError.personNotFound)
  }
export type CorrectAccount = ReturnType<typeof createCorrectAccount>
