/** @module-tag verify */
import { correctPerson, getPerson } from '@portal/contracts/auth/accounts'
import { listUniversities } from '@portal/contracts/catalog/http'
import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { callRoute, logIn, send as sendRaw, userIdsByEmail } from '@portal/system-tests/testing/api-client'
import { admin } from '@portal/system-tests/testing/portal-process'
import { axeFindings } from './accessibility.ts'
import { desktop, phone } from './browser.ts'
import { expect } from './expect.ts'
import { type Account, setUpJourneys, waitForFocus, waitForIdle } from './journeys.ts'
import { startSamplePortal } from './portals.ts'

/** What an admin does to accounts, and how people end their own, with every refusal. */
const { portal, openAs, openAsAdmin, adminToken, expectConsoleErrors } = setUpJourneys(() => startSamplePortal(8))

const sizes = [
  ['desktop', desktop, 1],
  ['phone', phone, 4],
] as const

/** Browsers log every refusal. */
const expectRefusals = () => expectConsoleErrors(/status of 4\d\d/)

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const submit = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })
const isClosed = (page: Page) => dialog(page).waitFor({ state: 'detached' })
const said = (page: Page, text: string) => page.getByRole('region', { name: 'Messages' }).getByText(text).waitFor()
const inDialog = (page: Page, text: string) => dialog(page).getByText(text).waitFor()

const idOf = async ({ email }: Account): Promise<string> =>
  (await userIdsByEmail(portal().address, await adminToken())).get(email) ?? ''
const openPerson = async (person: Account, viewport = desktop) =>
  openAsAdmin(`/admin/people/${await idOf(person)}`, viewport)
const personOf = async (person: Account) => {
  const params = { id: await idOf(person) }
  return (await callRoute(portal().address, getPerson, { token: await adminToken(), params })).person
}

/** Also while the pointer is on the button that destroys. */
const expectNoFindings = async (page: Page, submitText: string) => {
  expect(await axeFindings(page, submitText)).toEqual([])
  await submit(page, submitText).hover()
  expect(await axeFindings(page, `${submitText}, hovered`)).toEqual([])
}

const chooseRole = async (page: Page, role: string) => {
  await dialog(page).getByRole('combobox', { name: 'New role' }).click()
  await page.getByRole('option', { name: role }).click()
}

describe.each(sizes)('on a %s', (_size, viewport, first) => {
  test('[U-21] a person is corrected and gets another role, after refusals at the fields', async () => {
    expectRefusals()
    const [person, other] = [portal().learner(first), portal().learner(first + 1)]
    const taken = `900002222${first}`
    await callRoute(portal().address, correctPerson, {
      token: await adminToken(),
      params: { id: await idOf(other) },
      body: { mobileNumber: taken },
    })
    const { universityName: former } = await personOf(person)
    const listed = await callRoute(portal().address, listUniversities)
    const university = listed.find(({ name }) => name !== former)?.name ?? ''
    const page = await openPerson(person, viewport)

    await button(page, 'Correct').click()
    await dialog(page).getByLabel('Mobile number').fill('12')
    await submit(page, 'Save').click()
    await inDialog(page, 'Mobile number must be exactly 10 digits')
    await dialog(page).getByLabel('Mobile number').fill(taken)
    await submit(page, 'Save').click()
    await inDialog(page, 'This mobile number already belongs to another account.')
    await expectNoFindings(page, 'Save')
    await dialog(page).getByLabel('Mobile number').fill(`900001111${first}`)
    await dialog(page).getByRole('combobox', { name: 'University' }).fill(university)
    await page.getByRole('option', { name: university }).click()
    await submit(page, 'Save').click()
    await said(page, 'Profile corrected')
    await page.getByText(`900001111${first}`).waitFor()
    expect(await personOf(person)).toMatchObject({ universityName: university, mobileNumber: `900001111${first}` })

    await button(page, 'Change role').click()
    await submit(page, 'Change role').click()
    await inDialog(page, 'Please choose a role')
    await chooseRole(page, 'Faculty')
    await dialog(page).getByLabel('Your own password').fill('Wrong-guess-1')
    await submit(page, 'Change role').click()
    await inDialog(page, 'Your current password is incorrect')
    await expectNoFindings(page, 'Change role')
    await dialog(page).getByLabel('Your own password').fill(admin.password)
    await submit(page, 'Change role').click()
    await said(page, 'Now faculty')
    await isClosed(page)
    expect(await personOf(person)).toMatchObject({ role: 'faculty' })
  })

  test('[U-22] a person is deactivated and reactivated by keyboard alone, and the focus stays', async () => {
    expectRefusals()
    const person = portal().learner(first + 1)
    const { token } = await logIn(portal().address, person.email, person.password)
    const page = await openPerson(person, viewport)
    await button(page, 'Change role').focus()
    await page.keyboard.press('Tab')
    await waitForFocus(button(page, 'Deactivate'))
    await page.keyboard.press('Enter')
    await waitForFocus(dialog(page).getByLabel('Reason'))
    await page.keyboard.press('Enter')
    await inDialog(page, 'Reason is required')
    await expectNoFindings(page, 'Deactivate')
    await page.keyboard.type('Left the center')
    await page.keyboard.press('Enter')
    await page.getByText('This account is deactivated: Left the center').waitFor()
    expect(await sendRaw(portal().address, 'GET', '/user/profile', { token })).toMatchObject({ status: 401 })
    await waitForFocus(button(page, 'Reactivate'))
    await page.keyboard.press('Enter')
    await said(page, 'Account reactivated')
    await waitForFocus(button(page, 'Deactivate'))
    await expect(page.getByText('This account is deactivated')).toBeHidden()
  })

  test('[U-29] a person is signed out of all devices by keyboard alone, whose page asks to log in', async () => {
    expectRefusals()
    const person = portal().learner(first + 1)
    const theirs = await openAs(person, '/profile')
    await theirs.getByRole('heading', { level: 1 }).waitFor()
    await waitForIdle(theirs)
    const page = await openPerson(person, viewport)
    await page
      .getByRole('region', { name: 'Signed in' })
      .getByText(/^Signed in .+ · Last used /)
      .first()
      .waitFor()
    await button(page, 'Sign out of all devices').focus()
    await page.keyboard.press('Enter')
    await waitForFocus(dialog(page).getByLabel('Your own password'))
    await page.keyboard.type('Wrong-guess-1')
    await page.keyboard.press('Enter')
    await inDialog(page, 'Your current password is incorrect')
    await expectNoFindings(page, 'Sign out')
    await dialog(page).getByLabel('Your own password').fill(admin.password)
    await page.keyboard.press('Enter')
    await page.getByText('Signed in nowhere.').waitFor()
    await waitForFocus(button(page, 'Sign out of all devices'))
    await theirs.waitForURL('**/login')
  })

  test('[U-23] a person is deleted after the address is typed, with a receipt', async () => {
    expectRefusals()
    const person = portal().learner(first + 1)
    const page = await openPerson(person, viewport)
    await button(page, 'Delete account').click()
    await waitForFocus(dialog(page).getByLabel('Email address of the account'))
    await page.keyboard.type('another@example.com')
    await page.keyboard.press('Enter')
    await inDialog(page, 'This is not the email address of the account')
    await expectNoFindings(page, 'Delete account')
    await dialog(page).getByLabel('Email address of the account').fill(person.email)
    await submit(page, 'Delete account').click()
    await page.getByText(/^This account was deleted on .+ Receipt: [0-9a-f-]{36}$/).waitFor()
    await page.getByRole('heading', { level: 1, name: 'Deleted account' }).waitFor()
    await page.reload()
    await page.getByText('There is no account at this address').waitFor()
  })

  test('[X-41] a learner signs out elsewhere, then deletes the own account by keyboard', async () => {
    expectRefusals()
    const person = portal().learner(first + 2)
    const { token } = await logIn(portal().address, person.email, person.password)
    const page = await openAs(person, '/profile/sessions', viewport)
    await button(page, 'Sign out all others').click()
    await expectNoFindings(page, 'Sign out')
    await submit(page, 'Sign out').click()
    await said(page, 'All other devices signed out')
    await page.getByText('You are signed in nowhere else.').waitFor()
    expect(await sendRaw(portal().address, 'GET', '/user/profile', { token })).toMatchObject({ status: 401 })

    await page.goto('/edit-profile')
    await button(page, 'Delete my account').press('Enter')
    await waitForFocus(dialog(page).getByLabel('Your password'))
    await page.keyboard.type('Wrong-guess-1')
    await page.keyboard.press('Enter')
    await inDialog(page, 'Your current password is incorrect')
    await expectNoFindings(page, 'Delete my account')
    await waitForIdle(page)
    await dialog(page).getByLabel('Your password').fill(person.password)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/login')
    await page.getByText(/Your receipt: [0-9a-f-]{36}/).waitFor()
    await page.getByRole('textbox', { name: 'Email' }).fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await button(page, 'Login').click()
    await said(page, 'Invalid credentials')
  })
})

test('[U-21 U-22 U-23] the last admin keeps role and account, which each dialog says', async () => {
  expectRefusals()
  const page = await openPerson(admin)
  const refused = async (name: string, fill: () => Promise<void>) => {
    await button(page, name).click()
    await fill()
    await dialog(page).getByLabel('Your own password').fill(admin.password)
    await submit(page, name).click()
    await expect(dialog(page).getByRole('alert')).toHaveText('There must be at least one admin.')
    await expectNoFindings(page, name)
    await submit(page, 'Cancel').click()
    await isClosed(page)
  }
  await refused('Change role', () => chooseRole(page, 'Student'))
  await refused('Deactivate', () => dialog(page).getByLabel('Reason').fill('Left'))
  await refused('Delete account', () => dialog(page).getByLabel('Email address of the account').fill(admin.email))
})
