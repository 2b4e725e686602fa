// Sends the password of a protected link; the cookie of a right answer opens the page.
const form = document.getElementById('unlock')
const problem = document.getElementById('problem')

async function unlock() {
  problem.textContent = ''
  const answer = await fetch(form.dataset.verify, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ password: form.querySelector('input').value }),
  }).catch(() => null)
  if (answer?.ok) return location.reload()
  const text = (await answer?.json().catch(() => null))?.error
  problem.textContent = text ?? 'The service could not be reached. Try again in a moment.'
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void unlock()
})
