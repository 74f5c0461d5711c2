/** Sum of bytes from `start` to `end`, mod 256: the checksum of CJ/T 188, M-Bus and DL/T 645. */
export function toSum(bytes: ArrayLike<number>, start = 0, end = bytes.length): number {
  let sum = 0
  for (let at = start; at < end; at++) sum += bytes[at] ?? 0
  return sum & 0xff
}

const CRC_TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1
  return crc
})

/**
 * CRC-16 of Modbus (Modbus over serial line 1.02, 6.2.2): polynomial A001 reflected, start FFFF. On the line its low byte
 * comes first.
 */
export function toCrc16(bytes: ArrayLike<number>, start = 0, end = bytes.length): number {
  let crc = 0xffff
  for (let at = start; at < end; at++) crc = (crc >> 8) ^ (CRC_TABLE[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0)
  return crc
}
