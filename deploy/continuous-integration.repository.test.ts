import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '@portal/ops/repository-root'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { parts } from '../tools/test/circles.ts'

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8')

const workflowSchema = z.object({
  on: z.object({ schedule: z.array(z.object({ cron: z.string() })).nonempty() }),
  jobs: z.object({
    make: z.object({ strategy: z.object({ matrix: z.object({ target: z.array(z.string()) }) }) }),
    advisories: z.object({ if: z.string(), steps: z.array(z.object({ run: z.string().optional() })) }),
  }),
})
const workflow = workflowSchema.parse(parse(read('.github/workflows/ci.yml')))

describe('continuous integration', () => {
  it('runs the same make targets on GitHub as in .ci/run, with the parts of `make test` side by side', () => {
    const { target: targets } = workflow.jobs.make.strategy.matrix
    const steps = [...read('.ci/run').matchAll(/^(?:step )?make ([^|\n]+?)(?: \| .*)?$/gm)].map(([, step]) => step)
    expect(steps).toEqual(['types lint format-check', 'test'])
    expect(targets).toEqual(['types lint format-check', ...parts.map((part) => `test-${part}`)])
  })

  it('asks for advisories each night and with each push, and only warns of a registry that offers none', () => {
    const { if: condition, steps } = workflow.jobs.advisories
    expect(condition).toBe("github.event_name != 'pull_request'")
    expect(steps.map(({ run }) => run).filter(Boolean)).toEqual(['make advisories UNCHECKED=warn'])
    expect(read('Makefile')).toContain('advisories-main.ts $(if $(UNCHECKED),--unchecked=$(UNCHECKED))')
  })

  it('runs on the Node that package.json installs, as the image does', () => {
    const { dependencies } = z
      .object({ dependencies: z.object({ node: z.string() }) })
      .parse(JSON.parse(read('package.json')))
    const images = [...read('deploy/Dockerfile').matchAll(/^FROM node:([\d.]+)/gm)].map(([, version]) => version)
    expect(read('.nvmrc').trim()).toBe(dependencies.node)
    expect(new Set(images)).toEqual(new Set([dependencies.node]))
  })
})
