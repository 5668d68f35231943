import { expect, it } from 'vitest'
import { readInvitees } from './invitees.ts'

const people = async (text: string) =>
  (await readInvitees(text)).map(({ text: line, invitee }) =>
    invitee === undefined ? `? ${line}` : `${invitee.fullName} = ${invitee.personalEmail}`,
  )

it('finds name and address in lines of any shape, and names lines without an address', async () => {
  const text = [
    'Name,E-mail',
    'Asha Rao, asha@example.com',
    'Kiran Das\tkiran.das@example.com\tPhysics',
    '"Sen, Meera" <meera@example.com>',
    '3. Lena Roth lena@example.com',
    'omar@example.com, Omar Farooqi',
    'nobody@example.com',
    'Tara Iyer, tara@example',
    '',
    'Uma Nair <uma@example.com>; Vik Shah <vik@example.com>',
  ].join('\r\n')
  expect(await people(text)).toEqual([
    'Asha Rao = asha@example.com',
    'Kiran Das = kiran.das@example.com',
    'Sen, Meera = meera@example.com',
    'Lena Roth = lena@example.com',
    'Omar Farooqi = omar@example.com',
    ' = nobody@example.com',
    '? Tara Iyer, tara@example',
    'Uma Nair = uma@example.com',
    'Vik Shah = vik@example.com',
  ])
  expect(await people('  \n ')).toEqual([])
})
