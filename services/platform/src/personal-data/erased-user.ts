/** Data of an erased user cannot be sealed again: nothing new may be recorded about them. */
export class ErasedUserError extends Error {
  override readonly name = 'ErasedUserError'
  constructor() {
    super('The data of this user has been erased')
  }
}
