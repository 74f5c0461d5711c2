/**
 * Options of a connection with which PostgreSQL frees it, with its locks, a minute and a half after its client vanished in
 * silence, instead of two hours. Where its system cannot do that, it ignores them.
 */
export const keepaliveOptions = [
  '-c tcp_keepalives_idle=60',
  '-c tcp_keepalives_interval=10',
  '-c tcp_keepalives_count=3',
].join(' ')

/**
 * The same also for a client that vanished while it was sent an answer. Not for one that reads slowly: Linux ends a connection
 * whose client took nothing for so long.
 */
export const vanishedClientOptions = `${keepaliveOptions} -c tcp_user_timeout=90000`
