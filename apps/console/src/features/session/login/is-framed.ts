/**
 * Whether the console stands in a frame of another page: then the portal around it, which the server's setting
 * has let in, says who sits there. In a window of its own an address says nothing about that.
 */
export const isFramed = (): boolean => window.self !== window.top
