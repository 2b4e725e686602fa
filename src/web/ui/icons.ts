/**
 * Icons on a grid of 24 with lines of 2: each path is one icon. Pages load only those they show.
 */
export type IconPath = `M${string}`

export const add = 'M12 5v14M5 12h14'
export const back = 'M15 5l-7 7 7 7'
export const check = 'M4 12.5l5 5L20 6.5'
export const close = 'M6 6l12 12M18 6L6 18'
export const copy = 'M9 9h11v11H9zM15 9V4H4v11h5'
export const download = 'M12 4v11M7 11l5 5 5-5M4 20h16'
export const eye = 'M2 12q10-13 20 0-10 13-20 0zM12 9.5a2.5 2.5 0 100 5 2.5 2.5 0 000-5z'
export const file = 'M6 3h8l4 4v14H6zM14 3v4h4'
export const folder = 'M3 6h6l2 3h10v10H3z'
export const gear = 'M12 8a4 4 0 100 8 4 4 0 000-8zM12 2v4M12 18v4M2 12h4M18 12h4M5 5l3 3M16 16l3 3'
export const grid = 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z'
export const inbox = 'M3 13l3-8h12l3 8v6H3zM3 13h5l2 3h4l2-3h5'
export const less = 'M5 12h14'
export const link =
  'M10 14a4 4 0 006 0l3-3a4 4 0 00-6-6l-1 1M14 10a4 4 0 00-6 0l-3 3a4 4 0 006 6l1-1'
export const list = 'M4 6h16M4 12h16M4 18h16'
export const lock = 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 017 0v3'
export const mail = 'M3 6h18v12H3zM3 7l9 7 9-7'
export const more = 'M5 12h.01M12 12h.01M19 12h.01'
export const next = 'M9 5l7 7-7 7'
export const pause = 'M8 5v14M16 5v14'
export const pencil = 'M4 20l1-5L16 4l4 4L9 19zM13 7l4 4'
export const play = 'M7 5l12 7-12 7z'
export const qr = 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 18h2v2h-2zM18 14h2M14 18v2'
export const retry = 'M20 11a8 8 0 10-2 6M20 4v7h-7'
export const send = 'M12 19V6M6 11l6-6 6 6M4 21h16'
export const share = 'M12 15V3M8 7l4-4 4 4M5 11v10h14V11'
export const trash = 'M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14M10 11v6M14 11v6'
export const warn = 'M12 3l10 18H2zM12 10v5M12 18h.01'
