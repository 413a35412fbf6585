<?xml version="1.0"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:t="http://www.tei-c.org/ns/1.0" exclude-result-prefixes="t">
<!-- A plain reading page of our TEI, against which benches/editions.sh holds a reading format of zhushu. -->
<xsl:output method="html" encoding="UTF-8"/>
<xsl:template match="/"><html lang="lzh"><head><title><xsl:value-of select="//t:titleStmt/t:title"/></title></head><body><xsl:apply-templates select="//t:body"/></body></html></xsl:template>
<xsl:template match="t:div"><section><xsl:if test="@n"><h2><xsl:value-of select="@n"/><xsl:text> </xsl:text><xsl:value-of select="t:head"/></h2></xsl:if><xsl:apply-templates/></section></xsl:template>
<xsl:template match="t:head[@type='supplied']"/>
<xsl:template match="t:head"><h3><xsl:apply-templates/></h3></xsl:template>
<xsl:template match="t:fw"/>
<xsl:template match="t:ab"><p id="{@xml:id}" class="{@type}"><xsl:apply-templates/></p></xsl:template>
<xsl:template match="t:seg[@type='ju']"><span id="{@xml:id}"><sup><xsl:value-of select="@n"/></sup><xsl:apply-templates/></span></xsl:template>
<xsl:template match="t:note"><small id="{@xml:id}" class="{@type}" title="{@n}"><xsl:if test="@cert"><xsl:attribute name="data-cert"><xsl:value-of select="@cert"/></xsl:attribute></xsl:if><xsl:apply-templates/></small></xsl:template>
<xsl:template match="t:quote|t:ref"><a href="{@source}{@target}"><xsl:apply-templates/></a></xsl:template>
<xsl:template match="t:choice"><span title="{t:corr}{t:reg}"><xsl:apply-templates select="t:sic|t:orig"/></span></xsl:template>
<xsl:template match="t:trailer"><p class="label"><xsl:apply-templates/></p></xsl:template>
</xsl:stylesheet>
