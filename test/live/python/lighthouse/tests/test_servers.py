import asyncio
import subprocess
import sys
from datetime import timedelta
from types import SimpleNamespace

import pytest
from mcp import McpError
from mcp.shared.memory import create_connected_server_and_client_session
from mcp.types import INVALID_PARAMS
from pydantic import AnyUrl

from lighthouse import ledger, visitor
from lighthouse.keeper import COAST, keeper


async def talk(server, action):
    async with create_connected_server_and_client_session(server) as session:
        return await action(session)


def run(server, action):
    return asyncio.run(talk(server, action))


@pytest.fixture(autouse=True)
def dark():
    COAST.burning.clear()


def test_a_lamp_is_lit():
    result = run(keeper._mcp_server, lambda session: session.call_tool("light", {"lamp": "north", "minutes": 5}))
    assert not result.isError
    assert result.content[0].text == "north burns for 5 minutes, says keeper"
    assert COAST.burning == {"north": 5}


def test_a_refusal_of_the_tool_is_a_result():
    result = run(keeper._mcp_server, lambda session: session.call_tool("light", {"lamp": "north", "minutes": 0}))
    assert result.isError
    assert "at least a minute" in result.content[0].text


def test_structured_answers_arrive():
    COAST.burning["south"] = 3
    result = run(keeper._mcp_server, lambda session: session.call_tool("burning", {}))
    assert result.structuredContent == {"south": 3}


def test_the_context_knows_the_request():
    result = run(keeper._mcp_server, lambda session: session.call_tool("heard", {}))
    assert result.content[0].text == "no token"


def test_an_error_carries_its_parts():
    with pytest.raises(McpError) as caught:
        asyncio.run(raise_moon())
    assert caught.value.error.code == INVALID_PARAMS
    assert caught.value.error.data == {"lamp": "moon"}


async def raise_moon():
    from lighthouse.keeper import light

    await light("moon", 5, None)


def test_resources_and_prompts():
    COAST.burning["east"] = 9

    async def action(session):
        templates = await session.list_resource_templates()
        read = await session.read_resource(AnyUrl("lamp://east"))
        prompt = await session.get_prompt("report", {"lamp": "east"})
        return templates.resourceTemplates[0].uriTemplate, read.contents[0].text, prompt.messages[0].content.text

    assert run(keeper._mcp_server, action) == ("lamp://{name}", "east: 9", "Report the state of east in one sentence.")


def test_the_ledger_validates_and_counts():
    async def action(session):
        good = await session.call_tool("count", {"word": "fog"})
        bad = await session.call_tool("count", {})
        torn = await session.call_tool("tear", {})
        other = await session.call_tool("burn", {})
        return good, bad, torn, other

    good, bad, torn, other = run(ledger.server, action)
    assert good.structuredContent == {"pages": 1}
    assert bad.isError and bad.content[0].text.startswith("Input validation error: ")
    assert torn.isError and torn.content[0].text == "pages are not torn out here"
    assert other.content[0].text.startswith("no tool burn for request ")


def test_the_ledger_reads_pages():
    async def action(session):
        listed = await session.list_resources()
        read = await session.read_resource(listed.resources[1].uri)
        prompt = await session.get_prompt("summary", {"page": "1"})
        return [(str(each.uri), each.mimeType) for each in listed.resources], read.contents[0].text, prompt.messages[0].content.text

    listed, text, prompt = run(ledger.server, action)
    assert listed[0] == ("ledger://page/1", "text/plain")
    assert text == "fog until noon"
    assert prompt == "Summarise: calm, wind from the north"


def test_offers_over_all_pages():
    async def action(session):
        return await visitor.offers(session)

    found = run(keeper._mcp_server, action)
    assert [offer.name for offer in found] == ["light", "burning", "heard"]
    assert [offer.repeatable for offer in found] == [True, False, False]
    assert found[0].schema["required"] == ["lamp", "minutes"]


def test_a_failed_call_is_no_answer():
    class Desk:
        async def call_tool(self, name, arguments, read_timeout_seconds=None):
            block = SimpleNamespace(type="text", text="closed")
            return SimpleNamespace(content=[block], isError=True, structuredContent=None)

    with pytest.raises(LookupError, match="closed"):
        asyncio.run(visitor.ask(Desk(), "light", {}))


def test_a_slow_server_is_given_up():
    async def action(session):
        with pytest.raises(McpError):
            await session.call_tool("light", {"lamp": "far", "minutes": 1}, read_timeout_seconds=timedelta(milliseconds=1))

    run(slow()._mcp_server, action)


def slow():
    from mcp.server.fastmcp import FastMCP

    server = FastMCP("slow")

    @server.tool()
    async def light(lamp: str, minutes: int) -> str:
        await asyncio.sleep(0.5)
        return lamp

    return server


PROGRAM = """
from mcp.server.fastmcp import FastMCP
print(FastMCP("flare").name)
"""


def test_a_program_in_a_string():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "flare"
