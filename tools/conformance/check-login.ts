import type { Run } from './run.ts'

/** Lets a device that was given a one-time token take over its own password. */
export async function checkTokenLogin({ stage, findings, limits, device }: Run): Promise<void> {
  if (device.token === undefined) return
  const isOwn = await stage.until(() => stage.signedInWith() === 'password', limits.connectMs)
  findings.check('token-login', isOwn, 'it did not connect with the password that it got on down/login')
}
