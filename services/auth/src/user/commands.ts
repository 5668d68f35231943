import type { EndedSessions, SealedText } from '@portal/contracts/auth/events'
import type { Role } from '@portal/contracts/auth/user'
import type { UserId } from '@portal/contracts/shared/ids'

export type UserCommand =
  | {
      readonly type: 'RegisterUser'
      readonly userId: UserId
      readonly role: Role
      readonly emailIndex: string
      readonly profile: SealedText
      readonly credential: SealedText
      readonly emailVerified?: boolean | undefined
    }
  /** The owner of the address takes it back from the user, who has not shown that it is theirs. */
  | { readonly type: 'ReleaseUserEmail' }
  | { readonly type: 'ChangeProfile'; readonly profile: SealedText }
  /** By the user, who has shown that they know the password that `replaces` is a hash of, or could read its owner's mail. */
  | {
      readonly type: 'ChangePassword'
      readonly replaces: SealedText
      readonly credential: SealedText
      readonly endsSessions: EndedSessions
    }
  /** On the word of the portal's operator, whatever the password was. */
  | { readonly type: 'SetPassword'; readonly credential: SealedText }
  /** `replaces`: the credential that was rehashed; a password that changed meanwhile is left alone. */
  | { readonly type: 'RehashCredential'; readonly replaces: SealedText; readonly credential: SealedText }
  /** Replaces the password too, so that knowing the former one does not make anyone an admin. A repetition changes nothing. */
  | { readonly type: 'MakeAdmin'; readonly credential: SealedText; readonly by: string }
  | { readonly type: 'EraseUser' }
