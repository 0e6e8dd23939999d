// Fetches the page again every ten seconds while it is visible, and replaces its content.
setInterval(async () => {
  if (document.hidden) return;
  const footer = document.querySelector("footer");
  try {
    const answer = await fetch(location.href);
    if (!answer.ok) throw new Error(answer.status);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.querySelector("main").replaceWith(page.querySelector("main"));
    footer.replaceWith(page.querySelector("footer"));
  } catch {
    footer.className = "lost";
    footer.textContent = "The floor does not answer. This page shows an earlier state.";
  }
}, 10000);
