/** Tools whose pictures the web client has, under /media/tools, by the names of the files. */
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
export type ToolLogo = keyof typeof toolLogos
