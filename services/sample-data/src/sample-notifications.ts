import type { NotificationType } from '@portal/contracts/notifications/notification'
import type { NotificationButton } from '@portal/contracts/notifications/notification-button'

/** Faculty members belong to everybody; half and a third are of the learners. */
export type RecipientGroup = 'everybody' | 'learners' | 'half' | 'third'

export type SampleNotification = {
  /** The notification id is derived from it. */
  readonly key: string
  /** Hours since the send. All lie within the days that the dashboard chart shows. */
  readonly hoursAgo: number
  readonly type: NotificationType
  readonly title: string
  readonly message: string
  readonly button?: NotificationButton
  readonly to: RecipientGroup
}

/**
 * The first weeks of a term, in order; more than one page for each learner. Without dates, which would become outdated.
 */
export const sampleNotifications: readonly SampleNotification[] = [
  {
    key: 'welcome',
    hoursAgo: 295,
    type: 'General',
    title: 'Welcome to the program',
    message: 'Eighteen credits over three semesters. Classes are online: weekdays 7 to 10 PM, weekends 9 AM to 5 PM.',
    to: 'everybody',
  },
  {
    key: 'first-instalment',
    hoursAgo: 272,
    type: 'Fee Payment Reminder',
    title: 'First installment is due on the 5th',
    message: 'The first of three installments, ₹15,000, is due on the 5th. The registration fee of ₹1,000 is separate.',
    to: 'learners',
  },
  {
    key: 'class-links',
    hoursAgo: 249,
    type: 'System Maintenance',
    title: 'Class links change on Monday',
    message:
      'From Monday on, links to your classes come by email each morning. The old ones end on Sunday at midnight.',
    to: 'everybody',
  },
  {
    key: 'assignment-1',
    hoursAgo: 246,
    type: 'Assignment',
    title: 'Assignment 1: clean a real data set',
    message: 'Ten days from today. Submit one notebook; say which rows you dropped and why.',
    to: 'half',
  },
  {
    key: 'learning-check',
    hoursAgo: 222,
    type: 'Assignment',
    title: 'Daily learning check: linear algebra',
    message: 'Eight questions, open for one day. You can change an answer until you submit.',
    to: 'third',
  },
  {
    key: 'elective',
    hoursAgo: 199,
    type: 'New Course Announcement',
    title: 'Time series: elective for semester 2',
    message: 'Eight weekend sessions, 9 AM to 5 PM. There are forty places; write to your coordinator by Friday.',
    to: 'learners',
  },
  {
    key: 'evaluation-1',
    hoursAgo: 174,
    type: 'Exam',
    title: 'Mid-semester evaluation timetable',
    message: 'The first online evaluation is on Saturday at 10 AM. Keep your student ID at hand.',
    to: 'learners',
  },
  {
    key: 'placement',
    hoursAgo: 170,
    type: 'General',
    title: 'Placement and internship support',
    message: 'With a CGPA of 7.0 or higher you can sign up for it until the end of the month.',
    to: 'learners',
  },
  {
    key: 'assignment-1-marked',
    hoursAgo: 149,
    type: 'Assignment',
    title: 'Assignment 1 has been marked',
    message: 'Marks and comments are with your course. A module is cleared at 30 percent.',
    to: 'half',
  },
  {
    key: 'recordings-back',
    hoursAgo: 126,
    type: 'System Maintenance',
    title: 'Recordings of last week are back',
    message: 'They could not be played since Tuesday. Nothing was lost.',
    to: 'everybody',
  },
  {
    key: 'exam-centre',
    hoursAgo: 102,
    type: 'Exam',
    title: 'Semester exam: choose your center',
    message:
      'The exam is held offline, within about 500 km of your home.\n\nSend your first two choices to your coordinator by the 20th. Centers are confirmed a week later.\n\nBring your student ID; it is valid for 18 months.',
    to: 'learners',
  },
  {
    key: 'guest-lectures',
    hoursAgo: 98,
    type: 'New Course Announcement',
    title: 'Business analytics: four guest lectures',
    message: 'Thursdays at 7 PM: pricing, churn, inventory, and one case of your own choice.',
    to: 'half',
  },
  {
    key: 'immersion',
    hoursAgo: 77,
    type: 'General',
    title: 'Campus immersion: choose your dates',
    message: 'Two to three days after semester 1. Hostel and food under ₹1,000 a day.',
    button: { label: 'Choose your dates', url: 'https://example.com/immersion/dates' },
    to: 'learners',
  },
  {
    key: 'second-instalment',
    hoursAgo: 53,
    type: 'Fee Payment Reminder',
    title: 'Second installment is due on the 5th',
    message: 'The second of three installments, ₹15,000, is due on the 5th of next month.',
    to: 'learners',
  },
  {
    key: 'assignment-3',
    hoursAgo: 50,
    type: 'Assignment',
    title: 'Assignment 3: gradient descent by hand',
    message: 'Ten days from today. Submit one notebook; show each step of the update.',
    to: 'learners',
  },
  {
    key: 'graph-algorithms',
    hoursAgo: 29,
    type: 'New Course Announcement',
    title: 'Graph algorithms: new course open',
    message: 'Twelve sessions on weekday evenings, 7 to 10 PM, from Monday.',
    to: 'learners',
  },
  {
    key: 'instalment-missing',
    hoursAgo: 26,
    type: 'Fee Payment Reminder',
    title: 'Your first installment has not arrived',
    message: 'We have not received ₹15,000 yet. If you paid within the last two working days, there is nothing to do.',
    to: 'third',
  },
  {
    key: 'evaluation-2',
    hoursAgo: 5,
    type: 'Exam',
    title: 'Second online evaluation on Saturday',
    message: 'It starts at 10 AM and takes 90 minutes. It is the second of two this semester.',
    to: 'learners',
  },
  {
    key: 'maintenance',
    hoursAgo: 1,
    type: 'System Maintenance',
    title: 'Portal maintenance on Sunday, 2 to 4 AM',
    message: 'Class recordings and assignments will not be reachable for these two hours.',
    button: { label: 'See what is planned', url: 'https://example.com/maintenance' },
    to: 'everybody',
  },
]
