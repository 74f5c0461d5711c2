import type { ComponentPropsWithoutRef } from 'react'
import { toCompactAddress } from '../format/address.ts'
import styles from './address-button.module.css'

interface AddressButtonProps extends Omit<ComponentPropsWithoutRef<'button'>, 'type' | 'className'> {
  readonly nestaddr: string
}

/** A button that shows the last part of an address. A click opens the object at the address. */
export const AddressButton = ({ nestaddr, ...button }: AddressButtonProps) => (
  <button {...button} type="button" className={`bare ${styles.button}`}>
    <bdi>{toCompactAddress(nestaddr)}</bdi>
  </button>
)
