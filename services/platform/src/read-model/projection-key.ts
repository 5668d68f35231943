/** The name and version of a projection. */
export type ProjectionRef = {
  readonly name: string
  /** Raised with every change of its documents. Default 1. */
  readonly version?: number
}

const versionSuffix = /\.v\d+$/

/**
 * Names one version of a projection in generations, namespaces, consumers and consumer groups, so releases with different versions write
 * separate generations. Version 1 is the bare name, as recorded before there were versions.
 */
export const projectionKey = ({ name, version = 1 }: ProjectionRef): string =>
  version === 1 ? name : `${name}.v${version}`

export const isFirstVersion = (key: string): boolean => !versionSuffix.test(key)

/** The projection's name without its version, as commands use it. */
export const projectionNameOf = (key: string): string => key.replace(versionSuffix, '')
