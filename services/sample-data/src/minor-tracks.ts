/** Tools with a logo in the web client, at /media/tools/<key>.svg. */
export const toolLogos = {
  python: 'Python',
  pandas: 'pandas',
  numpy: 'NumPy',
  'scikit-learn': 'scikit-learn',
  pytorch: 'PyTorch',
  tensorflow: 'TensorFlow',
  jupyter: 'Jupyter',
  sql: 'SQL',
  git: 'Git',
  docker: 'Docker',
  linux: 'Linux',
  react: 'React',
  nodejs: 'Node.js',
  kubernetes: 'Kubernetes',
  'power-bi': 'Power BI',
  excel: 'Excel',
  tableau: 'Tableau',
  r: 'R',
  spark: 'Apache Spark',
  airflow: 'Apache Airflow',
} as const
type ToolLogo = keyof typeof toolLogos

export type Track = {
  readonly code: string
  readonly name: string
  readonly detail: string
  readonly tools: readonly ToolLogo[]
  readonly facts: readonly { readonly content: string; readonly highlight: string }[]
}

/** The offered programs: one certificate, four subjects. The center and its courses are fictional. */
export const minorTracks: readonly Track[] = [
  {
    code: 'MIN-AI-01',
    name: 'Minor in Artificial Intelligence',
    detail:
      'Build systems that see, read and decide, and know why they do. The first semester covers Python, linear algebra and probability, taught on real data rather than on paper. The second moves on to neural networks, language models and computer vision. In the third you take one problem of an industry partner from its data to a service that others can call, and defend it before a panel. Live online classes at weekends, with a mentor for every group of twenty.',
    tools: ['python', 'numpy', 'pytorch', 'tensorflow', 'jupyter', 'docker', 'git'],
    facts: [
      {
        content: 'Every project runs where others can use it: a model that only works in a notebook does not pass.',
        highlight: 'Three deployed projects',
      },
      {
        content: 'A mentor who builds such systems for a living reads your code each week and says what to change.',
        highlight: 'One mentor for twenty learners',
      },
      {
        content:
          'Fairness, privacy and the cost of a wrong answer are part of every assignment, not a lecture at the end.',
        highlight: 'Responsible by design',
      },
    ],
  },
  {
    code: 'MIN-CS-01',
    name: 'Minor in Computer Science and Advanced Technologies',
    detail:
      'The core of a computer science degree, chosen for those who study or do something else. Data structures, operating systems and networks come first, always with a program that you write yourself. Then web services, databases and the cloud: you build one application with your group, put it into containers and keep it running while others try to break it. The third semester is yours, with electives in security, distributed systems and the internet of things.',
    tools: ['linux', 'git', 'nodejs', 'react', 'sql', 'docker', 'kubernetes'],
    facts: [
      {
        content: 'Your group runs its application for eight weeks, with real users, real traffic and an on-call rota.',
        highlight: 'Eight weeks in production',
      },
      {
        content:
          'Classes are recorded and laboratories stay open all week, so that the program fits around a degree or a job.',
        highlight: 'Fits around your week',
      },
    ],
  },
  {
    code: 'MIN-DSML-01',
    name: 'Minor in Data Science and Machine Learning',
    detail:
      'From a question to an answer that holds. You learn to collect and clean data, to ask it the right thing with statistics, and to build models that are still right next month. The first semester is about Python and SQL, the second about machine learning from regression to boosted trees, the third about pipelines that run by themselves. Each ends in a report that a decision maker without a technical background can follow.',
    tools: ['python', 'pandas', 'numpy', 'scikit-learn', 'sql', 'spark', 'airflow'],
    facts: [
      {
        content:
          'The data sets are as they come: incomplete, contradictory and large. Cleaning them is half of the marks.',
        highlight: 'Real data from day one',
      },
      {
        content:
          'You leave with a portfolio of six pieces of work, each reviewed by two people who were not your teachers.',
        highlight: 'Six reviewed projects',
      },
      {
        content: 'The credits count towards a degree at the partner universities.',
        highlight: 'Credits that count',
      },
    ],
  },
  {
    code: 'MIN-BA-01',
    name: 'Minor in Business Analytics',
    detail:
      'For those who want to decide by numbers, and to convince others with them. Start with spreadsheets and statistics for business, go on to databases, dashboards and forecasting, and finish with a live case: a company brings a question, your group has a semester to answer it. Finance, marketing and operations each get a module of their own, taught by people who work there.',
    tools: ['excel', 'sql', 'power-bi', 'tableau', 'r', 'python'],
    facts: [
      {
        content:
          'In the third semester a company brings its own question and data, and hears your answer in its boardroom.',
        highlight: 'A live company case',
      },
      {
        content: 'No programming is needed to begin with; by the end you write the queries yourself.',
        highlight: 'Start without code',
      },
    ],
  },
]
