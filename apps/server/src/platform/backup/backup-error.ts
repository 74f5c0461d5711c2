/** A backup or a restore that cannot be done. The message is one line for the operator. */
export class BackupError extends Error {
  override readonly name: string = 'BackupError'
}

/** Thrown before a backup starts, because another one is running. It does not count as a failed backup. */
export class BackupRefused extends BackupError {
  override readonly name = 'BackupRefused'
}
