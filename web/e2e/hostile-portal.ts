import { updateProfile } from '@portal/contracts/auth/http'
import { addUniversity, createProgram, enrollInProgram } from '@portal/contracts/catalog/http'
import { sendNotification } from '@portal/contracts/notifications/http'
import { notificationTypes } from '@portal/contracts/notifications/notification'
import { limits } from '@portal/contracts/shared/rules'
import { callRoute, logIn } from '@portal/system-tests/testing/api-client'
import { startSamplePortal, type SamplePortal } from './portals.ts'

const programs = 119
const universities = 116
const notifications = 40
const scheduled = 60

/** A text that no browser can wrap, unless the page allows it. */
const longWord = (chars: number, start = 'Rechtsschutzversicherungsgesellschaft'): string =>
  start.padEnd(chars, 'abcdefghijklmnopqrstuvwxyz').slice(0, chars)

const devanagari = 'कृत्रिम बुद्धिमत्ता और यंत्र अधिगम: भविष्य के लिए आवश्यक कौशल और व्यावहारिक प्रशिक्षण'
/** From right to left, with numbers and Latin letters within. */
const urdu = 'مصنوعی ذہانت اور مشینی تعلیم (AI & ML): سال 2026 کے لیے ضروری مہارتیں، آن لائن کلاسیں شام 7 بجے سے۔'
const longAddress = `https://example.com/${'exam-center-'.repeat(9)}`
const manyWords = 'Foundations of responsible and reliable computing for engineers, teachers and other curious people'

/** The nth of the texts in turn, each with its number, because some names must be unique. */
const textOf = (n: number, maxChars: number): string => {
  const texts = [longWord(120), devanagari, manyWords, longAddress, urdu]
  return `${n} ${texts[n % texts.length] ?? ''}`.slice(0, maxChars).trim()
}

const programOf = (n: number) => ({
  programName: textOf(n, limits.nameChars),
  detail: `${longWord(120)} ${devanagari} ${manyWords}\n\n${longAddress}\n\n${urdu}`,
  semesterCount: 3,
  fee: n % 3 === 0 ? '₹4,50,00,000 in installments of ₹1,50,00,000' : '45000',
  collegeName: textOf(n, limits.nameChars),
  eligibility: `${devanagari} ${longWord(90)}`,
  semesters: [{ fee: '₹1,50,00,000' }, { fee: '15000' }, { fee: longWord(60) }],
  enrollmentDetails: { fee: '1000' },
  toolkit: [1, 2, 3].map((tool) => ({ name: textOf(tool, limits.nameChars), logoUrl: '/media/tools/missing.svg' })),
  facts: [1, 2].map((fact) => ({
    content: `${longWord(120)} ${devanagari}`,
    imageUrl: '',
    highlight: textOf(fact, limits.shortTextChars),
  })),
})

/**
 * A sample portal whose first learner, admin, programs, universities and newest notifications have texts that break
 * layouts: words of 120 characters, Devanagari, Urdu, long addresses, and more entries than fit on a page.
 */
export const startHostilePortal = async (): Promise<SamplePortal> => {
  const portal = await startSamplePortal()
  const { address } = portal
  const logInAs = ({ email, password }: SamplePortal['admin']) => logIn(address, email, password)
  const [admin, learner, faculty] = [
    await logInAs(portal.admin),
    await logInAs(portal.learner(1)),
    await logInAs(portal.faculty),
  ]
  const fullName = longWord(limits.nameChars, 'Venkatanarasimharajuvaripeta')
  for (const { token } of [admin, learner, faculty])
    await callRoute(address, updateProfile, { token, body: { fullName } })

  const { token } = admin
  for (let n = 1; n <= universities - 5; n++)
    await callRoute(address, addUniversity, { token, body: { name: textOf(n, limits.nameChars) } })
  const created: string[] = []
  for (let n = 1; n <= programs - 4; n++) {
    const { data } = await callRoute(address, createProgram, { token, body: programOf(n) })
    created.push(data._id)
  }
  const [enrolledProgram = '', otherProgram = '', another = ''] = created
  for (const id of [enrolledProgram, another])
    await callRoute(address, enrollInProgram, { token: learner.token, params: { id } })

  let notification = ''
  for (let n = 1; n <= notifications; n++) {
    const sent = await callRoute(address, sendNotification, {
      token,
      body: {
        userIds: [learner.userId, faculty.userId],
        title: textOf(n, limits.titleChars),
        message: `${longWord(120)} ${devanagari}\n${longAddress} ${manyWords}\n${urdu}`,
        type: notificationTypes[n % notificationTypes.length],
        button: {
          label: textOf(n, limits.buttonLabelChars),
          url: `https://${'exam-centers-of-the-university.'.repeat(3)}example/${'x'.repeat(1_000)}`,
        },
      },
    })
    notification = sent.notificationId
  }
  for (let n = 1; n <= scheduled; n++) {
    const sendAt = new Date(Date.now() + n * 86_400_000).toISOString()
    const body = { userIds: [learner.userId], title: textOf(n, limits.titleChars), message: devanagari, sendAt }
    await callRoute(address, sendNotification, { token, body })
  }
  return { ...portal, enrolledProgram, otherProgram, notification }
}
