/** A backup or a restore that cannot be done. The message is one line for the operator. */
export class BackupError extends Error {
  override readonly name: string = 'BackupError'
}

/** A backup that is not begun, because another one runs. It is no failed backup. */
export class BackupRefused extends BackupError {
  override readonly name = 'BackupRefused'
}
