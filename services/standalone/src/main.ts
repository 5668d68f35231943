import { runProcess } from '@portal/platform/runtime/run-process'
import { accessLines, apiLines, banner, codeLines } from './banner.ts'
import { offerSample } from './offer-sample.ts'

/** The entry point of `make run`: the whole portal in one process. */
await runProcess({
  service: 'portal',
  topology: 'standalone',
  start: async (portalProcess) => {
    // Imported after the settings are checked, so that an invalid one is reported at once.
    const { startPortal } = await import('./portal.ts')
    const { stdin: input, stdout: output } = process
    return startPortal(portalProcess, { offerSample: () => offerSample({ input, output }) })
  },
  announce: async ({ config, stopSteps }, portal) => {
    const printStopped = async () => void process.stdout.write('\n  Portal has stopped\n\n')
    stopSteps.push({ name: 'stop message', stop: printStopped })
    const port = Number(new URL(portal.address).port || 80)
    const { mailboxAddress } = portal
    process.stdout.write(
      banner({
        ...portal,
        isFirstPasswordTemporary: config.firstAdmin.isPasswordTemporary,
        access: await accessLines(config, { port, command: 'make run' }),
        api: apiLines(config, portal.address),
        codes: codeLines(config, { mailboxAddress, canShow: true }),
      }),
    )
    await portal.firstAdmin?.recordShown()
  },
})
