import { randomInt } from 'node:crypto'
import { newPassword } from '@portal/contracts/shared/rules'

/** Letters and digits that do not look alike. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'
const groups = 4
const groupChars = 4

const randomGroup = (): string =>
  Array.from({ length: groupChars }, () => alphabet.charAt(randomInt(alphabet.length))).join('')

/** Such as kRf7-Tq2m-9XwB-hZp4: 92 bits, easy to read and type, and valid by the password rules. */
export const generatePassword = (): string => {
  const password = Array.from({ length: groups }, randomGroup).join('-')
  return newPassword.safeParse(password).success ? password : generatePassword()
}
