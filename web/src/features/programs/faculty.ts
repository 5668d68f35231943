/** The features of a portrait in components/faculty-list.tsx. */
export type PortraitTraits = {
  readonly hair: 'short' | 'parted' | 'bun' | 'long' | 'curly' | 'bald'
  readonly glasses: boolean
  readonly beard: boolean
  readonly tone: 'red' | 'green' | 'yellow' | 'purple' | 'blue'
}

type FacultyMember = {
  readonly name: string
  readonly designation: string
  readonly institution: string
  readonly image: PortraitTraits
}

const institution = 'Technical Institute'

/** The faculty members, the same seven for every program. */
export const faculty: readonly FacultyMember[] = [
  {
    name: 'Dr. Meera Krishnan',
    designation: 'Professor, Artificial Intelligence',
    institution,
    image: { hair: 'bun', glasses: true, beard: false, tone: 'red' },
  },
  {
    name: 'Dr. Arvind Rao',
    designation: 'Professor, Computer Science',
    institution,
    image: { hair: 'short', glasses: true, beard: true, tone: 'blue' },
  },
  {
    name: 'Dr. Kavita Deshmukh',
    designation: 'Associate Professor, Machine Learning',
    institution,
    image: { hair: 'long', glasses: false, beard: false, tone: 'purple' },
  },
  {
    name: 'Dr. Sameer Qureshi',
    designation: 'Associate Professor, Databases',
    institution,
    image: { hair: 'curly', glasses: false, beard: true, tone: 'green' },
  },
  {
    name: 'Dr. Nandini Sen',
    designation: 'Assistant Professor, Statistics',
    institution,
    image: { hair: 'parted', glasses: true, beard: false, tone: 'yellow' },
  },
  {
    name: 'Dr. Joseph Mathew',
    designation: 'Professor, Business Analytics',
    institution,
    image: { hair: 'bald', glasses: true, beard: false, tone: 'red' },
  },
  {
    name: 'Dr. Ritu Baruah',
    designation: 'Assistant Professor, Distributed Systems',
    institution,
    image: { hair: 'curly', glasses: false, beard: false, tone: 'blue' },
  },
]
