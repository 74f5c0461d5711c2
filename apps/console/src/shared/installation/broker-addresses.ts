/**
 * Addresses at which devices connect to the embedded broker, the one with TLS first. The host is the one of this page: the server does
 * not know by which name it is reached.
 */
export function toBrokerAddresses({
  port,
  tlsPort,
}: {
  readonly port?: number | undefined
  readonly tlsPort?: number | undefined
}): readonly string[] {
  const { hostname } = location
  return [
    ...(tlsPort === undefined ? [] : [`mqtts://${hostname}:${tlsPort}`]),
    ...(port === undefined ? [] : [`mqtt://${hostname}:${port}`]),
  ]
}
