import type { UniversityId } from '@portal/contracts/shared/ids'

export type UniversityCommand =
  | { readonly type: 'AddUniversity'; readonly universityId: UniversityId; readonly name: string }
  | { readonly type: 'RenameUniversity'; readonly universityId: UniversityId; readonly name: string }
  | { readonly type: 'RemoveUniversity'; readonly universityId: UniversityId }
  /** What a portal starts with. */
  | {
      readonly type: 'AddFirstUniversities'
      readonly universities: readonly { readonly universityId: UniversityId; readonly name: string }[]
    }
