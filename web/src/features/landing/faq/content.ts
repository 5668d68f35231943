import { facts, factTexts, rupees, semesters } from '../facts.ts'

export type Question = { readonly question: string; readonly answer: string }
export type Category = { readonly name: string; readonly questions: readonly Question[] }

export const categories: readonly Category[] = [
  {
    name: 'The program',
    questions: [
      {
        question: 'Which Minors can I choose from?',
        answer: `There are four Minor tracks: ${facts.tracks.join('; ')}. You choose one.`,
      },
      {
        question: 'How long does it take, and how many credits do I earn?',
        answer: `${semesters} semesters, ${facts.credits.total} credits (${facts.credits.perSemester.join('+')}).`,
      },
      {
        question: 'Do I have to leave my university?',
        answer: 'No. The Minor is part-time and runs alongside your degree. You stay enrolled where you are.',
      },
    ],
  },
  {
    name: 'Fees',
    questions: [
      { question: 'What does it cost?', answer: `The total fee is ${factTexts.fee}.` },
      {
        question: 'What does the campus immersion cost?',
        answer: `Hostel and food come to ${factTexts.immersionCost}. Travel is not included.`,
      },
    ],
  },
  {
    name: 'Classes and assessment',
    questions: [
      { question: 'When are the classes?', answer: `Online, ${factTexts.hours}.` },
      {
        question: 'How much time do I have for assignments?',
        answer: `${factTexts.dailyCheck} for a daily learning check and ${factTexts.assignment} for an assignment.`,
      },
      {
        question: 'How is each semester assessed?',
        answer: `With ${factTexts.evaluations} per semester, plus daily learning checks and assignments.`,
      },
      { question: 'What do I need to clear a module?', answer: `At least ${factTexts.clearance}.` },
      {
        question: 'Where do I sit the exam?',
        answer: `In person, at a center ${factTexts.exam} of where you live.`,
      },
    ],
  },
  {
    name: 'Campus and career',
    questions: [
      { question: 'Do I get a student ID?', answer: `Yes. It is ${factTexts.studentId}.` },
      {
        question: 'What is the campus immersion?',
        answer: `You spend ${factTexts.immersion} on campus with your class and your teachers. Hostel and food cost under ${rupees(facts.immersion.dailyRupees)} per day.`,
      },
      {
        question: 'Is there help with placements and internships?',
        answer: `Yes. Students with ${factTexts.placement} get placement and internship support.`,
      },
    ],
  },
]
