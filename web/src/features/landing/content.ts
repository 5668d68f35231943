import { supportEmail } from '../../lib/support.ts'
import { facts, hoursText, factTexts, rupees, semesters } from './facts.ts'

/** The texts of the landing page. The center has no name; its address, phone number and people are fictional. */

export const hero = {
  /** Three lines on a phone, two on wider screens. */
  title: ['Add a', 'Minor to', 'your degree.'],
  lead: `A part-time Minor certificate for university students: four tracks, taught live online after your own lectures.`,
  join: 'Sign Up',
  browse: 'See the programs',
  figures: [
    { value: String(facts.tracks.length), name: 'Minor tracks' },
    { value: String(semesters), name: 'semesters' },
    { value: String(facts.credits.total), name: 'credits' },
  ],
} as const

export const about = {
  title: 'A second subject, in the hours your degree leaves free',
  paragraphs: [
    `The Minor is a certificate program of the continuing-education center of a technical institute. It is run together with a skills council, an implementation partner and partner universities.`,
    `Classes are online: ${factTexts.hours}. You stay enrolled where you are and study a second subject alongside your degree.`,
  ],
  weekCaption: `Online classes: ${factTexts.hours}`,
} as const

export type FigureName = 'credits' | 'installments' | 'hours' | 'cgpa' | 'tracks' | 'campus' | 'exam' | 'deadlines'

type Feature = {
  readonly figure: FigureName
  readonly value: string
  readonly title: string
  readonly text: string
}

/** The four key features. */
export const features: readonly Feature[] = [
  {
    figure: 'credits',
    value: String(facts.credits.total),
    title: 'credits',
    text: `${factTexts.credits}. The last semester is light.`,
  },
  {
    figure: 'installments',
    value: rupees(facts.fee.totalRupees),
    title: 'total fee',
    text: `Paid in three installments of ${rupees(facts.fee.installmentRupees)}, one per semester.`,
  },
  {
    figure: 'hours',
    value: hoursText(facts.weekdays),
    title: 'on weekdays',
    text: `And ${hoursText(facts.weekends)} on weekends. All classes are online. No commute.`,
  },
  {
    figure: 'cgpa',
    value: facts.placement.leastCgpa.toFixed(1),
    title: 'CGPA or higher',
    text: `Placement and internship support with a CGPA of ${facts.placement.leastCgpa.toFixed(1)} or higher.`,
  },
]

export type Reason = {
  readonly figure: FigureName
  readonly title: string
  readonly text: string
  readonly points: readonly string[]
}

export const whyTitle = 'Why choose a Minor'

/** The four 'why choose' sections. */
export const reasons: readonly Reason[] = [
  {
    figure: 'tracks',
    title: 'Four tracks',
    text: 'Every track works with any degree. Pick one and finish it.',
    points: facts.tracks,
  },
  {
    figure: 'deadlines',
    title: 'A steady pace',
    text: 'Small, frequent assignments instead of one big one at the end.',
    points: [
      `${factTexts.dailyCheck} for a daily learning check, ${factTexts.assignment} for an assignment`,
      `${factTexts.evaluations} per semester`,
      `Module clearance at ${factTexts.clearance}`,
    ],
  },
  {
    figure: 'campus',
    title: 'A real campus',
    text: 'Learn online, belong to a campus.',
    points: [
      `A student ID, ${factTexts.studentId}`,
      `Campus immersion of ${factTexts.immersion}`,
      `Hostel and food ${factTexts.immersionCost}`,
    ],
  },
  {
    figure: 'exam',
    title: 'Exams close to home',
    text: 'Exams are held in person, at a center near you. That is why employers trust the certificate.',
    points: [`Offline exam ${factTexts.exam} of where you live`, `Evaluations, learning checks and assignments online`],
  },
]

export type Testimonial = {
  /** The base name of the files in public/media: the clip, its captions and the portrait. */
  readonly clip: string
  readonly name: string
  readonly role: string
  /** The lines of the captions. */
  readonly lines: readonly string[]
}

export const testimonialsTitle = 'In their own words'

export const students: readonly Testimonial[] = [
  {
    clip: 'student-mechanical',
    name: 'Meera N.',
    role: 'Third year, mechanical engineering',
    lines: ['My degree is in machines.', 'Now I can read the data', 'that they leave behind.'],
  },
  {
    clip: 'student-commerce',
    name: 'Arjun P.',
    role: 'Final year, commerce',
    lines: ['Lectures by day, the Minor at seven.', 'After two weeks', 'it was just part of my day.'],
  },
  {
    clip: 'student-physics',
    name: 'Sana K.',
    role: 'Second year, physics',
    lines: ['I came for the certificate.', 'The three days on campus', 'are what I talk about.'],
  },
]

export const faculty: readonly Testimonial[] = [
  {
    clip: 'faculty-machine-learning',
    name: 'Dr R. Menon',
    role: 'Teaches machine learning',
    lines: ['They bring problems', 'from their own fields.', 'I learn something every week.'],
  },
  {
    clip: 'faculty-analytics',
    name: 'Prof. L. Das',
    role: 'Teaches business analytics',
    lines: ['A short check every day', 'shows me who is stuck', 'before they tell me.'],
  },
]

export const universities = {
  title: 'Partner universities',
  text: 'Students of these universities can take the Minor alongside their degree.',
} as const

export const programs = {
  title: 'Choose your Minor',
  longestLead: `Each is ${factTexts.credits} and costs ${factTexts.fee}.`,
} as const

export const contact = {
  title: 'Contact',
  text: 'We answer on working days, 10 AM to 6 PM.',
  email: supportEmail,
  phone: { shown: '+91 00000 00000', dialled: '+910000000000' },
  address: ['Continuing Education Center', 'Institute Road', '000 000'],
} as const

export const footer = {
  title: 'Add a Minor to your degree.',
  lead: 'Signing up takes about two minutes. You choose your track and pay later.',
  join: hero.join,
  logIn: 'Login',
  imprint:
    'A part-time Minor certificate from a continuing-education center, a skills council, an implementation partner and partner universities.',
} as const
